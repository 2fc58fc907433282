// Prints the path of a file of an npm package that only a test or a measurement needs: `node scripts/npm-program.mjs name@version file`.
// The package is installed first, if it is missing.
import {installCached} from './cached-package.mjs';

const [spec, file] = process.argv.slice(2);
process.stdout.write(installCached(spec, file, `node scripts/npm-program.mjs ${spec} ${file}`));
