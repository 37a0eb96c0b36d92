import { Module } from '@nestjs/common';
import { ActivityModule } from '../activity/activity.module.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { AccountsService } from './accounts/accounts.service.js';
import { ConsoleController } from './accounts/console.controller.js';
import { OwnAccount } from './accounts/own-account.js';
import { AuthModule } from './auth.module.js';
import { Acceptance } from './invitations/acceptance.js';
import { AccessTokens } from './oidc/access-tokens.js';
import { AcceptanceController, InvitationsController } from './invitations/invitations.controller.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { OidcCallbackController, OidcController } from './oidc/oidc.controller.js';
import { OidcProvider } from './oidc/oidc-provider.js';
import { OidcSignIn } from './oidc/oidc-sign-in.js';
import { SignOnAttempts } from './oidc/sign-on-attempts.js';
import { SignOnUsers } from './oidc/sign-on-users.js';
import { PasswordChange } from './sessions/password-change.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SignIn } from './sessions/sign-in.js';

/** The routes for users who sign in. Without the console, none of them exists. */
@Module({
  imports: [ActivityModule, AuthModule],
  controllers: [
    AccountsController,
    AcceptanceController,
    ConsoleController,
    InvitationsController,
    MembersController,
    OidcCallbackController,
    OidcController,
    SessionsController,
  ],
  providers: [
    Acceptance,
    AccessTokens,
    AccountsService,
    InvitationsService,
    MembersService,
    OidcProvider,
    OidcSignIn,
    OwnAccount,
    PasswordChange,
    SignIn,
    SignOnAttempts,
    SignOnUsers,
  ],
  exports: [AccessTokens],
})
export class AccountsModule {}
