// The usual gates of a language's projects. They run unchanged: if a script or program is missing, the gate fails. A project
// without a linter sets `lint: false`.
import type {GatePreset} from '../pack-config.ts';

type Commands = Readonly<Record<string, string>>;

const gradleOr = (gradle: string, maven: string): string =>
  `if [ -f gradlew ]; then ./gradlew --offline --no-daemon ${gradle}; else mvn --offline --quiet ${maven}; fi`;

export const gatePresets: Readonly<Record<GatePreset, Commands>> = {
  node: {
    format: 'npm run format:check',
    lint: 'npm run lint',
    typecheck: 'npm run typecheck',
    test: 'npm test',
  },
  python: {
    format: 'ruff format --check .',
    lint: 'ruff check .',
    typecheck: 'mypy .',
    test: 'python3 -m pytest --quiet',
  },
  go: {
    // gofmt lists files and exits with 0.
    format: 'files=$(gofmt -l .) && echo "$files" && test -z "$files"',
    lint: 'go vet ./...',
    typecheck: 'go build ./...',
    test: 'go test ./...',
  },
  rust: {
    format: 'cargo fmt --all --check',
    lint: 'cargo clippy --offline --all-targets -- --deny warnings',
    typecheck: 'cargo check --offline --all-targets',
    test: 'cargo test --offline',
  },
  java: {
    format: gradleOr('spotlessCheck', 'spotless:check'),
    lint: gradleOr('checkstyleMain', 'checkstyle:check'),
    typecheck: gradleOr('classes testClasses', 'test-compile'),
    test: gradleOr('test', 'test'),
  },
  dotnet: {
    format: 'dotnet format whitespace --verify-no-changes',
    lint: 'dotnet format style --verify-no-changes',
    typecheck: 'dotnet build --nologo',
    test: 'dotnet test --nologo',
  },
  ruby: {
    lint: 'bundle exec rubocop',
    test: 'bundle exec rake test',
  },
  php: {
    format: 'vendor/bin/php-cs-fixer check',
    lint: 'vendor/bin/phpcs',
    typecheck: 'vendor/bin/phpstan analyse --no-progress',
    test: 'vendor/bin/phpunit',
  },
  make: {
    lint: 'make lint',
    test: 'make test',
  },
};
