import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { readZip } from '#server/domain/trust/zip-archive.ts'

/** The files of an evidence package, as its recipient has them. */
export type UnpackedEvidence = { place: string; names: string[] }

/** Puts the files of an evidence package into a new folder below `folder`. */
export async function unpackEvidence(zip: Uint8Array, folder: string): Promise<UnpackedEvidence> {
  const entries = await readZip(zip)
  const place = mkdtempSync(path.join(folder, 'package-'))
  for (const { name, bytes } of entries) {
    mkdirSync(path.join(place, path.dirname(name)), { recursive: true })
    writeFileSync(path.join(place, name), bytes)
  }
  return { place, names: entries.map(({ name }) => name) }
}

/** The commands that its text tells the recipient to run, in their order. */
export const commandsIn = (place: string): string[] =>
  readFileSync(path.join(place, 'VERIFICAR.txt'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .map((line) => line.trim())

/** Runs one of its commands in its folder. */
export function runCommand(cwd: string, command: string) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' })
  return { status, command, stdout: stdout.slice(0, 500), stderr }
}
