import { setTimeout as pause } from 'node:timers/promises'
import type { Campaign, CampaignOptions } from '#tests/campaign/campaign.ts'
import { type Random, randomFrom } from '#tests/fuzz/random.ts'
import { type Fleet, setUpFleet } from '#tests/support/processes/fleet.ts'
import {
  nothingYet,
  type Signers,
  signersOf,
  signRemaining,
  workOf,
} from '#tests/support/processes/office-work.ts'
import type { ServerProcess } from '#tests/support/processes/server-process.ts'
import { faultsOf } from '#tests/support/processes/sound-office.ts'
import { builtRelease } from './built-release.ts'

/*
 * Upgrades two machines one after the other, as docs/several-machines.md says, while users upload and sign. First both run
 * the release before; then this one starts on one of them and migrates the database; then on the other. Between, a machine
 * of either release is killed and starts again. What was acknowledged must be there, whole and once.
 */

const COUNT = 10
const KILLS = 2
/** After the first acknowledged signature: about the duration of the next one. */
const LONGEST_LIFE_MS = 1_500
const PATIENCE_MS = 60_000

type Figures = Record<'signatures' | 'kills', number>

export async function startUpgrade(
  seed: number,
  _first: number,
  { release }: CampaignOptions,
): Promise<Campaign> {
  if (release === undefined) throw new Error('which release? --release COMMIT')
  const before = builtRelease(release)
  const figures: Figures = { signatures: 0, kills: 0 }
  return {
    count: COUNT,
    figures: () => figures,
    tryOne: (number) => upgradeOnce(before, randomFrom(seed, number), figures),
    end: async () => [],
    close: async () => {},
  }
}

async function upgradeOnce(release: string, random: Random, figures: Figures): Promise<string[]> {
  const fleet = await setUpFleet(2)
  const machines: ServerProcess[] = []
  try {
    return await upgrade(fleet, machines, { release, random, figures })
  } finally {
    for (const machine of machines) await machine.stop()
    await fleet.close()
  }
}

type How = { release: string; random: Random; figures: Figures }

async function upgrade(
  { origin, places, withRows, begin, copyKeys }: Fleet,
  machines: ServerProcess[],
  { release, random, figures }: How,
): Promise<string[]> {
  machines.push(await begin(0, release))
  copyKeys()
  machines.push(await begin(1, release))
  const done = nothingYet()
  const signers = await signersOf(origin, places[0].dataFolder, withRows)
  const work = (act: () => Promise<void>) => whileWorking(signers, done, random, act)

  await work(() => upgradeOf(0))
  for (let kill = 0; kill < KILLS; kill += 1) await work(() => killAndStart(random.below(2)))
  await work(() => upgradeOf(1))
  await work(async () => {})

  const unsigned = await signRemaining(withRows, signers, done)
  for (const machine of machines) await machine.stop()
  figures.signatures += done.signed.length
  return [...unsigned, ...(await faultsOf(places[0], done))]

  async function upgradeOf(machine: number): Promise<void> {
    await machines[machine]?.stop()
    machines[machine] = await begin(machine)
  }

  async function killAndStart(machine: number): Promise<void> {
    figures.kills += 1
    await machines[machine]?.kill()
    // The first machine has this release by now, the second one still the other.
    machines[machine] = await begin(machine, machine === 0 ? undefined : release)
  }
}

/** Acts at a random moment after the first signature of new work. */
async function whileWorking(
  signers: Signers,
  done: ReturnType<typeof nothingYet>,
  random: Random,
  act: () => Promise<void>,
): Promise<void> {
  const isOver = { value: false }
  const work = Promise.allSettled(workOf(signers, done, isOver))
  await progress(done)
  await pause(random.below(LONGEST_LIFE_MS))
  await act()
  isOver.value = true
  await work
}

async function progress(done: ReturnType<typeof nothingYet>): Promise<void> {
  const before = done.signed.length
  for (const end = Date.now() + PATIENCE_MS; done.signed.length === before; ) {
    if (Date.now() > end) throw new Error(`no signature within ${PATIENCE_MS} ms`)
    await pause(20)
  }
}
