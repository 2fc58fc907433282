// The image of the process that keeps a pod's namespaces, made without a registry: a static busybox that sleeps.
import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** Path of its archive. */
export function pauseImage(folder) {
  const image = join(folder, 'pause');
  mkdirSync(join(image, 'root/bin'), {recursive: true});
  copyFileSync('/bin/busybox', join(image, 'root/bin/busybox'));
  const tar = (...args) => spawnSync('tar', ['--owner=0', '--group=0', '-cf', ...args]);
  tar(join(image, 'layer.tar'), '-C', join(image, 'root'), '.');
  const layer = createHash('sha256')
    .update(readFileSync(join(image, 'layer.tar')))
    .digest('hex');
  const config = {
    architecture: process.arch === 'x64' ? 'amd64' : 'arm64',
    os: 'linux',
    config: {Entrypoint: ['/bin/busybox', 'sleep', '2147483647']},
    rootfs: {type: 'layers', diff_ids: [`sha256:${layer}`]},
  };
  writeFileSync(join(image, 'config.json'), JSON.stringify(config));
  const manifest = [{Config: 'config.json', RepoTags: ['lumenflow-pause:1'], Layers: ['layer.tar']}];
  writeFileSync(join(image, 'manifest.json'), JSON.stringify(manifest));
  const archive = join(folder, 'pause.tar');
  tar(archive, '-C', image, 'manifest.json', 'config.json', 'layer.tar');
  return archive;
}
