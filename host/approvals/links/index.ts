// Signed links by which people answer requests.
export {formProof, LinkKeyError, type SignedLink} from './signed-link.ts';
export {openLinks, personsOf, type LinkOptions, type LinkService} from './link-service.ts';
