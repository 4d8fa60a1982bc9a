import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { identityText, recipientOf, recipientText } from '#server/domain/age/keys.ts'
import type { Random } from '#tests/fuzz/random.ts'
import type { Acknowledged } from '#tests/support/processes/office-work.ts'
import { beginCommand, commandIn, faultsOf } from '#tests/support/processes/sound-office.ts'
import type { Office } from './offices.ts'

const SECRET = new Uint8Array(32).fill(9)
/** A backup of a small office takes about so long. */
const LONGEST_BACKUP_MS = 2_500

/** A backup beside a server that will be killed. */
export type RunningBackup = {
  /** What the office had acknowledged when it began, if it said that it is whole. */
  acknowledged: Promise<Acknowledged | undefined>
  file: string
}

/** Half of them are killed at a random moment. */
export function beginBackup({ place, done }: Office, random: Random): RunningBackup {
  const file = path.join(place.dataFolder, '..', 'office.age')
  const { signed, uploaded, opened } = done
  const before = { signed: [...signed], uploaded: [...uploaded], opened: [...opened] }
  const recipient = recipientText(recipientOf(SECRET))
  const command = beginCommand(place, 'backup', '-o', file, '--recipient', recipient)
  const isKilled = random.below(2) === 0
  const timer = isKilled && setTimeout(command.kill, random.below(LONGEST_BACKUP_MS))
  const acknowledged = command.ended.then(({ status }) => {
    if (timer) clearTimeout(timer)
    return status === 0 ? before : undefined
  })
  return { file, acknowledged }
}

/** Restores it into an empty place. @returns a sentence for what is lost or wrong there */
export async function faultsOfBackup(office: Office, backup: RunningBackup): Promise<string[]> {
  const acknowledged = await backup.acknowledged
  try {
    return acknowledged ? await faultsAfterRestore(office, backup.file, acknowledged) : []
  } finally {
    rmSync(backup.file, { force: true })
  }
}

async function faultsAfterRestore(
  office: Office,
  file: string,
  acknowledged: Acknowledged,
): Promise<string[]> {
  const { place, remove } = await office.emptyPlace()
  const key = `${file}.key`
  writeFileSync(key, `${identityText(SECRET)}\n`)
  try {
    const restored = await commandIn(place, 'restore', '--identity', key, file)
    // It exits with 1 also for a disk that is almost full, as ours is.
    if (!restored.output.startsWith('Se restauró'))
      return [`the backup is not restored: ${restored.output}`]
    const faults = await faultsOf(place, acknowledged)
    return faults.map((fault) => `in the backup: ${fault}`)
  } finally {
    rmSync(key)
    await remove()
  }
}
