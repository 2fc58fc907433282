// For backends that cannot mount files: a program is started by an agent, at the other end of a stream, on copies of them.
export {grantedFiles, type GrantedFiles} from '../packed-files/granted-files.ts';
export {openGuestFilesSync, type GuestFilesSync} from './guest-files-sync.ts';
export {startInGuest, type StartedGuest} from './start-in-guest.ts';
export {probedBackend, type ProbedBackend} from '../backends/probed-backend.ts';
export type {AvailableReport} from '../backends/probe-report.ts';
export {tierOf, type Guarantees} from '../backends/security-tier.ts';
export {tryContainer, type TriedContainer} from '../engine/try-container.ts';
export {foundGuarantees} from '../oci/found-guarantees.ts';
export {trialOutput} from '../backends/trial-output.ts';
export {trialProfile} from '../oci/container-trial.ts';
export {reapOwnedFolders} from '../backends/leftover-folders.ts';
export {hasEnded, thisProcess} from '../process-name.ts';
export {uncheckedProfile} from '../profile/unchecked-profile.ts';
export {keptTrial} from '../backends/kept-trial.ts';
