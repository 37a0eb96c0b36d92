import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ActivityModule } from '../activity/activity.module.js';
import { ProblemFilter } from '../platform/http/problem.filter.js';
import { Routes } from '../kernel/access/routes.js';
import { AbsentListsController } from './absent/absent-lists.controller.js';
import { AccessGuard } from './access/access.guard.js';
import { KeyAdmission } from './access/key-admission.js';
import { KeyLookup } from './access/key-lookup.js';
import { SessionAdmission } from './access/session-admission.js';
import { SessionLookup } from './access/session-lookup.js';
import { UnmatchedRouteFilter } from './access/unmatched-route.filter.js';
import { KeysController } from './keys/keys.controller.js';
import { KeysService } from './keys/keys.service.js';
import { OneTimeLinks } from './links/one-time-links.js';
import { Passwords } from './passwords/passwords.js';
import { Limiters } from './limits/limiters.js';
import { RateWindows } from './limits/rate-windows.js';
import { RequestLimits } from './limits/request-limits.js';
import { SignInLimits } from './limits/sign-in-limits.js';
import { SessionsService } from './sessions/sessions.service.js';
import { User } from './users/user.entity.js';
import { UsersController } from './users/users.controller.js';
import { UsersService } from './users/users.service.js';

@Module({
  imports: [ActivityModule, DiscoveryModule, TypeOrmModule.forFeature([User])],
  controllers: [AbsentListsController, KeysController, UsersController],
  providers: [
    AccessGuard,
    KeyAdmission,
    KeyLookup,
    KeysService,
    Limiters,
    OneTimeLinks,
    Passwords,
    ProblemFilter,
    RateWindows,
    RequestLimits,
    Routes,
    SessionAdmission,
    SessionLookup,
    SessionsService,
    SignInLimits,
    UsersService,
    { provide: APP_GUARD, useExisting: AccessGuard },
    // The second filter is tried first: Nest tries filters in reverse order.
    { provide: APP_FILTER, useExisting: ProblemFilter },
    { provide: APP_FILTER, useClass: UnmatchedRouteFilter },
  ],
  exports: [
    KeyAdmission,
    KeysService,
    Limiters,
    OneTimeLinks,
    Passwords,
    ProblemFilter,
    RequestLimits,
    Routes,
    SessionAdmission,
    SessionLookup,
    SessionsService,
    SignInLimits,
    UsersService,
  ],
})
export class AuthModule {}
