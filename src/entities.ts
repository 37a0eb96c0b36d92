import { PersonalApiKey } from './auth/keys/personal-api-key.entity.js';
import { User } from './auth/users/user.entity.js';
import { Project } from './projects/project.entity.js';

/** Every table of the truth. */
export const entities = [Project, User, PersonalApiKey];
