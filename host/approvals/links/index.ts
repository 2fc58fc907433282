// Signed links by which people answer requests.
export {formProof, LinkKeyError, type ApprovalLink} from './approval-link.ts';
export {openLinks, personsOf, type LinkService} from './link-service.ts';
