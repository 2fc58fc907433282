import {spawn} from 'node:child_process';
import {die, program} from './support/program.mjs';

export async function main() {
  const {limit} = program('changelog', 'Lists commits by kind').option('--limit <n>', 'commits', '50').parse().opts();
  const lines = await git('log', `--max-count=${limit}`, '--format=%s');
  const kinds = Map.groupBy?.(lines, kindOf) ?? groupBy(lines, kindOf);
  for (const [kind, subjects] of kinds) {
    console.log(`## ${kind}`);
    for (const subject of subjects) console.log(`- ${subject}`);
  }
}

function kindOf(subject) {
  return /^(\w+):/.exec(subject)?.[1] ?? 'other';
}

function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

function git(...args) {
  return new Promise((resolve) => {
    const child = spawn('git', args, {stdio: ['ignore', 'pipe', 'inherit']});
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('close', (status) => (status === 0 ? resolve(output.trim().split('\n')) : die('git log failed', status)));
  });
}
