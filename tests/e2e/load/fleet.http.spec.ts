import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { FLEET, type Fleet, setUpFleet } from '#tests/support/processes/fleet.ts'
import {
  nothingYet,
  signersOf,
  signRemaining,
  workOf,
} from '#tests/support/processes/office-work.ts'
import type { ServerProcess } from '#tests/support/processes/server-process.ts'
import { faultsOf } from '#tests/support/processes/sound-office.ts'

/* While several users sign, one machine after the other is killed. */

const MACHINES = Number(process.env[FLEET] ?? 2)
const ROUNDS = 3
/** After the first signature: about the duration of the next ones. */
const LONGEST_LIFE_MS = 1_500

/** Of the power of all machines, while proofs are made. */
const CUTS = 1
const LONGEST_ARCHIVE_MS = 500

/** The next leader waits until the lease of a machine that was killed is over. */
const LEASE_AND_WORK = { timeout: 150_000 }

let fleet: Fleet | undefined
const machines: ServerProcess[] = []

test.afterEach(async () => {
  for (const machine of machines) await machine.stop()
  await fleet?.close()
})

test(`${MACHINES} machines: any may be killed while users sign, and nothing is lost, doubled or bought twice`, async () => {
  test.setTimeout(600_000)
  fleet = await setUpFleet(MACHINES)
  const { origin, balancer, begin, places, withRows } = fleet
  const [first] = places
  machines.push(await begin(0))
  const refused = await fleet.beginRefused(1)
  expect(refused).toMatchObject({ code: 2, said: expect.stringContaining('Falta') })
  fleet.copyKeys()
  for (const machine of places.keys()) if (machine > 0) machines.push(await begin(machine))

  const done = nothingYet()
  const signers = await signersOf(origin, first.dataFolder, withRows)
  for (let round = 0; round < ROUNDS; round += 1) {
    const isOver = { value: false }
    const before = done.signed.length
    const work = Promise.allSettled(workOf(signers, done, isOver))
    await expect.poll(() => done.signed.length, { timeout: 60_000 }).toBeGreaterThan(before)
    await pause(Math.random() * LONGEST_LIFE_MS)
    const killed = round % MACHINES
    await machines[killed]?.kill()
    isOver.value = true
    await work
    machines[killed] = await begin(killed)
  }
  expect(await signRemaining(withRows, signers, done)).toEqual([])
  const countOf = (statement: string) =>
    withRows(async (rows) => (await rows.all<{ count: number }>(statement))[0]?.count ?? Number.NaN)
  const [stamped, before] = [balancer.count(STAMP), await countOf(ARCHIVED)]
  await withRows((rows) => rows.change(ALL_DUE, Date.now(), Date.now()))
  for (let cut = 0; cut < CUTS; cut += 1) {
    const made = await countOf(ARCHIVED)
    await expect.poll(() => countOf(ARCHIVED), LEASE_AND_WORK).toBeGreaterThan(made)
    await pause(Math.random() * LONGEST_ARCHIVE_MS)
    await Promise.all(machines.map((machine) => machine.kill()))
    for (const machine of places.keys()) machines[machine] = await begin(machine)
    await withRows((rows) => rows.change(ALL_DUE, Date.now(), Date.now()))
  }
  await expect.poll(() => countOf(WAITING), LEASE_AND_WORK).toBe(0)
  // A signature without a timestamp gets one in a version of its own first.
  const archived = (await countOf(ARCHIVED)) - before
  expect(archived).toBeGreaterThan(5)
  const bought = balancer.count(STAMP) - stamped
  expect(bought).toBeGreaterThanOrEqual(archived)
  // A timestamp is lost if the power goes between the answer of the authority and its row.
  expect(bought).toBeLessThanOrEqual(archived + CUTS)
  for (const machine of machines) await machine.stop()
  expect(await faultsOf(first, done)).toEqual([])
  console.log(
    `${MACHINES} machines: ${done.signed.length} signatures, ${ROUNDS} kills, ${CUTS} power cuts while ${archived} versions were archived with ${bought} timestamps`,
  )
})

/** What the demo's own authority is asked with. */
const STAMP = 'POST /demo/tsa'
const ALL_DUE = "update archives set due_at = ?, holds_until = ? where state = 'waiting'"

const WAITING = "select count(*) as count from archives where state = 'waiting'"
const ARCHIVED = "select count(*) as count from audit_events where action = 'document.archived'"
