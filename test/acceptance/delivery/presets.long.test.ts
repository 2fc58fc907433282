// Presets of languages on small real repositories, in the real sandbox, with the languages' own programs: what is sound
// passes, what is broken fails the gates that are there to see it.
import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

interface Repository {
  readonly preset: string;
  /** What the sandbox must find in /usr/bin. */
  readonly programs: readonly string[];
  /** Beside the preset's; false leaves one out whose program Debian does not have. */
  readonly commands?: Readonly<Record<string, false>>;
  readonly files: Readonly<Record<string, string>>;
  /** Written over them: it adds wrong, and says so badly. */
  readonly broken: Readonly<Record<string, string>>;
  /** Which of its gates pass then. */
  readonly passes: Readonly<Record<string, boolean>>;
}

const repositories: readonly Repository[] = [
  {
    preset: 'rust',
    programs: ['cargo', 'cargo-clippy', 'rustfmt'],
    files: {
      'Cargo.toml': '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n',
      '.gitignore': 'target/\n',
      'src/lib.rs': `/// Adds.
pub fn add(a: i32, b: i32) -> i32 {
    a + b
}

#[test]
fn adds() {
    assert_eq!(add(1, 1), 2);
}
`,
    },
    broken: {
      'src/lib.rs': `/// Adds.
pub fn add(a: i32, b: i32) -> i32 { return a - b; }

#[test]
fn adds() {
    assert_eq!(add(1, 1), 2);
}
`,
    },
    passes: {format: false, lint: false, typecheck: true, test: false},
  },
  {
    preset: 'ruby',
    programs: ['bundle', 'rake', 'rubocop'],
    files: {
      Gemfile:
        "# frozen_string_literal: true\n\nsource 'https://rubygems.org'\n\ngem 'minitest'\ngem 'rake'\ngem 'rubocop'\n",
      '.rubocop.yml':
        'AllCops:\n  NewCops: disable\n  SuggestExtensions: false\nStyle/Documentation:\n  Enabled: false\n',
      Rakefile: "# frozen_string_literal: true\n\nrequire 'rake/testtask'\n\nRake::TestTask.new\n",
      'lib/sum.rb':
        '# frozen_string_literal: true\n\nmodule Sum\n  def self.add(one, other)\n    one + other\n  end\nend\n',
      'test/test_sum.rb': `# frozen_string_literal: true

require 'minitest/autorun'
require 'sum'

class SumTest < Minitest::Test
  def test_add
    assert_equal 2, Sum.add(1, 1)
  end
end
`,
    },
    broken: {'lib/sum.rb': 'module Sum\n  def self.add(one, other)\n    return one - other\n  end\nend\n'},
    passes: {lint: false, test: false},
  },
  {
    preset: 'php',
    programs: ['php', 'phpunit', 'phpcs'],
    // Debian has neither php-cs-fixer nor phpstan.
    commands: {format: false, typecheck: false},
    files: {
      'composer.json': '{"name": "example/sum"}\n',
      '.gitignore': 'vendor/\n.phpunit.result.cache\n',
      // Where composer puts them.
      'vendor/bin/phpunit': '#!/bin/sh\nexec phpunit "$@"\n',
      'vendor/bin/phpcs': '#!/bin/sh\nexec phpcs "$@"\n',
      'phpcs.xml': '<ruleset name="sum"><file>src</file><rule ref="PSR12"/></ruleset>\n',
      'phpunit.xml': '<phpunit><testsuite name="all"><directory>tests</directory></testsuite></phpunit>\n',
      'src/Sum.php': `<?php

namespace Example;

class Sum
{
    public static function add(int $one, int $other): int
    {
        return $one + $other;
    }
}
`,
      'tests/SumTest.php': `<?php

require __DIR__ . '/../src/Sum.php';

class SumTest extends PHPUnit\\Framework\\TestCase
{
    public function testAdd(): void
    {
        $this->assertSame(2, Example\\Sum::add(1, 1));
    }
}
`,
    },
    broken: {
      'src/Sum.php':
        '<?php\nnamespace Example;\nclass Sum {\n  static function add($one, $other) { return $one - $other; }\n}\n',
    },
    passes: {lint: false, test: false},
  },
  {
    preset: 'make',
    programs: ['make', 'javac', 'java'],
    files: {
      Makefile: `lint:
	javac -Xlint:all -Werror -d out Sum.java SumTest.java
test: lint
	java -ea -cp out SumTest
`,
      '.gitignore': 'out/\n',
      'Sum.java': 'class Sum {\n  static int add(int one, int other) {\n    return one + other;\n  }\n}\n',
      'SumTest.java':
        'class SumTest {\n  public static void main(String[] args) {\n    assert Sum.add(1, 1) == 2 : "no";\n  }\n}\n',
    },
    broken: {'Sum.java': 'class Sum {\n  static int add(int one, int other) {\n    return one - other;\n  }\n}\n'},
    passes: {lint: true, test: false},
  },
];

let workspace: HostWorkspace | undefined;
afterEach(async () => await workspace?.remove());

for (const {preset, programs, commands, files, broken, passes} of repositories) {
  const missing = programs.filter((program) => !existsSync(`/usr/bin/${program}`));
  const why = missing.length === 0 ? '' : ` (skipped: /usr/bin has no ${missing.join(', ')})`;
  const title = `${preset}: what is sound passes, what is broken fails${why}`;

  test.skipIf(missing.length > 0)(title, {timeout: 240_000}, async () => {
    workspace = makeHostWorkspace({
      firstParty: ['software-delivery'],
      pins: {'software-delivery': {trust: 'in_process'}},
      files: {...files, '.gitignore': `.lumenflow/\n${files['.gitignore'] ?? ''}`},
      spec: {software_delivery: {gates: {preset, ...(commands && {commands})}}},
    });
    const {root} = workspace;
    execFileSync('git', ['init', '--quiet', '--initial-branch=main'], {cwd: root});
    for (const path of Object.keys(files)) if (path.startsWith('vendor/bin/')) chmodSync(join(root, path), 0o755);
    const host = await workspace.start();
    const session = opened(await host.openSession({by: 'ada', task: {type: 'work-unit'}}));
    const names = Object.keys(passes);
    expect((await must(session, 'gates'))['gates']).toMatchObject(names.map((name) => ({name, passed: true})));
    workspace.write(broken);
    const found = (await must(session, 'gates'))['gates'];
    expect(found).toMatchObject(Object.entries(passes).map(([name, passed]) => ({name, passed})));
  });
}
