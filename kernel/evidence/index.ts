export {attestationText} from './attestation-text.ts';
export {decodeBase64, encodeBase64} from './base64.ts';
export {canonicalJson, tryCanonicalJson, type NotCanonical} from './canonical-json.ts';
export {checkpointText, parseCheckpoint, type Checkpoint} from './checkpoint.ts';
export {cosign, readCosignature, cosignedText, type Cosigner} from './cosignature.ts';
export {blobsOf, verifyConsistencyProof, verifyProof, type ProofPorts, type ProofVerdict} from './evidence-proof.ts';
export {decodeHex, encodeHex} from './hex.ts';
export {
  consistencyPath,
  inclusionPath,
  isConsistent,
  isIncluded,
  type ConsistencyClaim,
  type InclusionClaim,
  type SubtreeHashes,
} from './merkle-proofs.ts';
export {judgeCheckpoint, type CosignedHead, type WitnessDecision, type WitnessedLog} from './judge-checkpoint.ts';
export {leafHash, MerkleTree, nodeHash, type CompactRange, type HashBytes, type VisitSubtree} from './merkle-tree.ts';
export {refusalsOf} from './refusals-of.ts';
export {noteText, openNote, signatureLinesOf, signNote, type NoteSigner, type NoteVerifier} from './signed-note.ts';
export {shownPointer} from './shown-pointer.ts';
export {formatWitnessRequest, parseWitnessRequest} from './witness-request.ts';
