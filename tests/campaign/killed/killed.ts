import { setTimeout as pause } from 'node:timers/promises'
import type { Campaign } from '#tests/campaign/campaign.ts'
import { type Random, randomFrom } from '#tests/fuzz/random.ts'
import { workOf } from '#tests/support/processes/office-work.ts'
import { faultsOf } from '#tests/support/processes/sound-office.ts'
import { beginBackup, faultsOfBackup, type RunningBackup } from './backups.ts'
import { type Disk, ownDisk } from './full-disk.ts'
import { type Office, openOffices } from './offices.ts'
import { hurryJobs, settled } from './settle.ts'

/*
 * Ends the production server with SIGKILL at a random moment: while it starts, while users upload and sign and its jobs
 * archive, some of it on a full disk, some beside a backup, which may be killed too. After each kill, what was
 * acknowledged must be there, whole and once, also in an office that is restored from a whole backup. After some kills
 * the office is brought to an end: all sign, all documents are archived and judged, the log is verified.
 */

const COUNT = 1_000
/** An office is killed so often before its work is brought to an end. */
const KILLS_AN_OFFICE = 25
/** A start takes about so long. */
const LONGEST_START_MS = 2_500
/** After the first acknowledged work: about the duration of the next signature. */
const LONGEST_LIFE_MS = 1_500
/** A server on a full disk may acknowledge nothing at all. */
const PATIENCE_MS = 20_000
const PATIENCE_WHEN_FULL_MS = 2_000
/** Room that is left on a full disk, in bytes: enough for a row, or for half a document. */
const MOST_FREE = 300_000

export async function startKilled(seed: number): Promise<Campaign> {
  const disk = ownDisk()
  process.once('exit', disk.remove)
  const offices = await openOffices(disk.folder)
  const current = new Map<number, { office: Office; kills: number }>()
  const figures = {
    ...{ kills: 0, 'on PostgreSQL': 0, 'while starting': 0, 'on a full disk': 0 },
    ...{ 'beside a backup': 0, 'backups restored': 0 },
  }
  const bringToEnd = async (office: Office) => {
    const faults = await settled(office)
    await office.remove()
    return faults.map((fault) => `${office.dialect}, in the end: ${fault}`)
  }
  return {
    count: COUNT,
    ...(!disk.isOwn && { note: 'No file system can be mounted here: no try meets a full disk.' }),
    figures: () => figures,
    async tryOne(number) {
      const random = randomFrom(seed, number)
      // Two kills on SQLite, two on PostgreSQL, and so on.
      const kind = (number >> 1) % 2
      const held = current.get(kind) ?? {
        office: await offices.make(kind === 0 ? 'sqlite' : 'postgres'),
        kills: 0,
      }
      const { office } = held
      const faults = await killOnce(office, random, disk, figures)
      figures.kills += 1
      if (kind === 1) figures['on PostgreSQL'] += 1
      held.kills += 1
      current.set(kind, held)
      const found = faults.map((fault) => `${office.dialect}: ${fault}`)
      if (held.kills < KILLS_AN_OFFICE && faults.length === 0) return found
      current.delete(kind)
      return [...found, ...(await bringToEnd(office))]
    },
    async end() {
      const faults: string[] = []
      for (const { office } of current.values()) faults.push(...(await bringToEnd(office)))
      current.clear()
      return faults
    },
    async close() {
      await offices.close()
      process.off('exit', disk.remove)
      disk.remove()
    },
  }
}

type Figures = Record<
  'while starting' | 'on a full disk' | 'beside a backup' | 'backups restored',
  number
>

async function killOnce(
  office: Office,
  random: Random,
  disk: Disk,
  figures: Figures,
): Promise<string[]> {
  await hurryJobs(office)
  const isStarting = random.below(6) === 0
  const free = disk.isOwn && random.below(5) === 0 ? random.below(MOST_FREE) : undefined
  const fill = () => {
    if (free !== undefined) disk.fill(free)
  }
  let backup: RunningBackup | undefined
  try {
    if (isStarting) {
      fill()
      await office.killWhileStarting(random.below(LONGEST_START_MS))
      figures['while starting'] += 1
    } else backup = await killAtWork(office, random, free === undefined ? undefined : fill)
    if (free !== undefined) figures['on a full disk'] += 1
  } finally {
    disk.empty()
  }
  const faults = await faultsOf(office.place, office.done)
  if (!backup) return faults
  figures['beside a backup'] += 1
  if (await backup.acknowledged) figures['backups restored'] += 1
  return [...faults, ...(await faultsOfBackup(office, backup))]
}

/**
 * @param fill makes the disk full
 * @returns the backup that was made beside it, if one was
 */
async function killAtWork(
  office: Office,
  random: Random,
  fill: (() => void) | undefined,
): Promise<RunningBackup | undefined> {
  const { begin, signers, done } = office
  const server = await begin()
  fill?.()
  const before = countOf(done)
  const isOver = { value: false }
  const work = Promise.allSettled(workOf(signers, done, isOver))
  const deadline = Date.now() + (fill ? PATIENCE_WHEN_FULL_MS : PATIENCE_MS)
  while (countOf(done) === before && Date.now() < deadline) await pause(20)
  const backup = random.below(4) === 0 ? beginBackup(office, random) : undefined
  await pause(random.below(LONGEST_LIFE_MS))
  isOver.value = true
  await server.kill()
  await work
  await server.stop()
  await backup?.acknowledged
  return backup
}

const countOf = ({ signed, uploaded, opened }: Office['done']) =>
  signed.length + uploaded.length + opened.length
