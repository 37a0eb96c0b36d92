import { startTestService } from '../support/service.js';

/** In place of the service in a process of its own, which would run without the mutant. */
export const sharedService = () => startTestService();
