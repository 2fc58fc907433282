// The voice of the project (CONTRIBUTING.md): turns of phrase that a technical writer would replace, and sentences too long to read once.
import type {Prose} from './prose-of.ts';
import type {Finding} from './source-file.ts';

interface Turn {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Only in texts that users read: comments and titles of tests may have it. */
  readonly forUsers?: true;
}

/** A turn that is right here: a term of art, or a word of somebody else's. */
const allowed =
  /\b(?:people|persons?|users?|authors?|admins?|operators?|(?:some|any|every)one),? who\b|\bplaceholders?|\bstand-ins?\b|\blegal holds?\b/gi;

const turns: readonly Turn[] = [
  {pattern: /\btells?\b|\btold\b|\btelling\b/i, instead: 'report, print, show, return'},
  {pattern: /\bhears?\b|\bheard\b|\bhearing\b/i, instead: 'receive, match, read'},
  {pattern: /\bh[oe]lds?\b|\bholding\b/i, instead: 'contain, keep, own, enforce, block'},
  {pattern: /\bstands?\b|\bstood\b|\bstanding\b/i, instead: 'is, appear, apply, remain'},
  {pattern: /\bspel(?:ls?|t|led|lings?)\b/i, instead: 'encode, write, name'},
  {pattern: /\bwho(?:m|ever)?\b/i, instead: 'that, which; name the actor'},
  {pattern: /\bwhatever\b|\bwhichever\b|\bnobody\b/i, instead: 'any, no one; name the thing'},
  {
    pattern: /\banew\b|\bmeanwhile\b|\bthereby\b|\bhereby\b|\btherein\b|\bthereof\b/i,
    instead: 'again, in the meantime',
  },
  {pattern: /\bgoes on\b|\bgo on\b|\bgoing on\b|\bwent on\b/i, instead: 'continue'},
  {pattern: /\bof (?:its|their|his|her|your|one's) own\b/i, instead: 'its own …, a separate …'},
  {pattern: /(?<!\bthere )\b(?:is|are) (?:no(?! longer)|none)\b/i, instead: 'is not a, are not'},
  {pattern: /\blearnt\b|\bspoilt\b|\bburnt\b/i, instead: 'American spelling: learned'},
  {pattern: /\bcomes? (?:to|of|out|back|again|what|that|with)\b/i, instead: 'name what happens'},
  {pattern: /\b(?:takes?|took|taken) (?:away|back|up)\b/i, instead: 'remove, undo, accept'},
  {pattern: /\b(?:gives?|gave|given) (?:back|up|way|away)\b/i, instead: 'return, stop, yield'},
  {pattern: /\bthe same for\b|\bas well\b|\ball the same\b/i, instead: 'also, too; still'},
  {pattern: /\blooked (?:at|through)\b/i, instead: 'inspected, checked'},
  {pattern: /\bmust be let\b|\blets? (?:it|them|a|the|every|no|in|go|through)\b/i, instead: 'allow'},
  {pattern: /\bat once\b/i, instead: 'immediately; at the same time; together', forUsers: true},
  {pattern: /\boutside of\b/i, instead: 'outside', forUsers: true},
  {pattern: /\balso (?:if|when|where|after|once)\b/i, instead: 'even if, even after', forUsers: true},
  {pattern: /\bfor good\b|\bfor ever\b|\bof before\b/i, instead: 'permanently, forever; earlier', forUsers: true},
  {pattern: /\bhand-over\b|\blikewise\b|\bdoors?\b/i, instead: 'handoff; repeat the words; entry', forUsers: true},
  {pattern: /\b(?:behaviou|colou|neighbou|favou|honou)rs?\b/i, instead: 'American spelling: -or', forUsers: true},
  {
    pattern: /\b(?:defen|licen)ces?\b|\btowards\b/i,
    instead: 'American spelling: defense, license, toward',
    forUsers: true,
  },
];

const isForUsers = ({kind}: Prose): boolean => kind === 'page' || kind === 'description' || kind === 'message';

/** How many words a sentence may have. */
export const sentenceMax = 25;

export function sentencesOf({text}: Prose): readonly string[] {
  return text
    .split(/(?<=[.!?:;]["”’)]?)\s+(?=[A-Z`"“(0-9✘•])|(?<=;)\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

export const wordsIn = (text: string): number => (text.match(/[\p{L}\p{N}`][\p{L}\p{N}`'’./:_-]*/gu) ?? []).length;

/** Turns of phrase to replace, each with its standard words. */
export function findTurns(prose: readonly Prose[]): readonly Finding[] {
  return prose.flatMap((one) => {
    const {path, line, text} = one;
    const plain = text.replace(allowed, '…');
    const applied = turns.filter(({forUsers = false}) => !forUsers || isForUsers(one));
    return applied.flatMap(({pattern, instead}) =>
      [...plain.matchAll(new RegExp(pattern, 'gi'))].map(({0: turn, index}) => ({
        path,
        line,
        message: `“${turn}”: write ${instead} · …${plain.slice(Math.max(0, index - 40), index + 40)}…`,
      })),
    );
  });
}

export function findLongSentences(prose: readonly Prose[]): readonly Finding[] {
  return prose.flatMap((one) =>
    sentencesOf(one)
      .filter((sentence) => wordsIn(sentence) > sentenceMax)
      .map((sentence) => ({
        path: one.path,
        line: one.line,
        message: `${wordsIn(sentence)} words, over ${sentenceMax}: ${sentence.slice(0, 80)}…`,
      })),
  );
}
