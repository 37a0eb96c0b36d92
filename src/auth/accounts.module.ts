import { Module } from '@nestjs/common';
import { AuthModule } from './auth.module.js';
import { SessionsController } from './sessions/sessions.controller.js';

/** The routes for people who sign in; without the console there are none of them. */
@Module({ imports: [AuthModule], controllers: [SessionsController] })
export class AccountsModule {}
