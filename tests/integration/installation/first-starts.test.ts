import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStore } from '#server/adapters/blobs/open-stores.ts'
import { keysIn } from '#server/adapters/key-files.ts'
import { openLogKeys } from '#server/adapters/log-key.ts'
import { openSealingKeys } from '#server/adapters/sealing-keys.ts'
import { openSecrets } from '#server/adapters/secrets.ts'
import { createVault } from '#server/adapters/vault.ts'
import { compose, databaseAddress } from '#server/compose.ts'
import { ConfigurationError, readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { findFileStore } from '#server/db/installation/file-store.ts'
import { listKeyFingerprints } from '#server/db/installation/key-fingerprints.ts'
import { fingerprintOf } from '#server/domain/installation/key-fingerprint.ts'
import { claimKeys } from '#server/installation-identity.ts'
import { anEmptyPlace, anOfficeIn, type OfficePlace } from '#tests/support/office/installation.ts'
import type { FirstStart } from '#tests/support/processes/first-start.ts'
import { swiftServer } from '#tests/support/swift-of-tests.ts'

/*
 * Two machines that are started at once, before anything is there: an empty PostgreSQL database, an empty S3 store, and no
 * keys, or those of one folder.
 */

const swift = swiftServer()
/** The library of AWS reads its own variables. */
beforeEach(() => Object.assign(process.env, swift().access))
afterEach(() => {
  for (const name of Object.keys(swift().access)) delete process.env[name]
})

/** Two machines with a data folder each, one database and one store. */
async function twoMachines(): Promise<readonly [OfficePlace, OfficePlace]> {
  const first = await anEmptyPlace('postgres')
  const bucket = await swift().newPlace()
  const variables = { ...first.variables, ...swift().variables(bucket) }
  const data = path.join(path.dirname(first.data), 'data-2')
  return [
    { data: first.data, variables },
    { data, variables: { ...variables, DATA_DIR: data } },
  ]
}

const secretsOf = ({ data, variables }: OfficePlace) =>
  variables.SECRETS_DIR ?? path.join(data, 'secrets')

/** Both processes are told to start once both are loaded. */
async function startedAtOnce(places: readonly OfficePlace[]): Promise<FirstStart[]> {
  const program = path.resolve(import.meta.dirname, '../../support/processes/first-start.ts')
  const children = places.map(() =>
    fork(program, { execArgv: ['--disable-warning=ExperimentalWarning'] }),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  const ends = children.map(async (child) => {
    const told = once(child, 'message')
    const gone = once(child, 'exit').then(() => {
      throw new Error('the process told nothing')
    })
    const [start] = await Promise.race([told, gone])
    return start as FirstStart
  })
  for (const [place, child] of children.entries()) child.send(places[place]!.variables)
  return await Promise.all(ends)
}

async function startOf({ variables }: OfficePlace): Promise<FirstStart> {
  try {
    const { close } = await compose(readConfig('start', variables))
    await close()
    return { kind: 'started' }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return { kind: 'refused', sentence: error.message }
  }
}

/** The place that started, and the other one. */
function winnerOf(places: readonly [OfficePlace, OfficePlace], starts: readonly FirstStart[]) {
  expect(starts.map(({ kind }) => kind).toSorted()).toEqual(['refused', 'started'])
  const [first, second] = places
  const isFirst = starts[0]?.kind === 'started'
  const refusal = starts.find((one) => one.kind === 'refused')
  return { winner: isFirst ? first : second, other: isFirst ? second : first, refusal }
}

/** What must hold after the race, however it ended. */
async function mustGoOn({ winner, other, refusal }: ReturnType<typeof winnerOf>): Promise<void> {
  // The second one comes to the keys while the first one makes them, or behind it.
  expect(refusal?.sentence).toMatch(
    /Ponga en \S+ las llaves de ese equipo|copie esa llave de otro equipo/,
  )
  expect(refusal?.sentence).toContain(secretsOf(other))
  // Its log is signed with the key that the database knows.
  await anOfficeIn(winner)
  expect(await startOf(winner)).toEqual({ kind: 'started' })
  expect(await startOf(other)).toMatchObject({ kind: 'refused' })
  rmSync(secretsOf(other), { recursive: true, force: true })
  cpSync(secretsOf(winner), secretsOf(other), { recursive: true })
  expect(await startOf(other)).toEqual({ kind: 'started' })
}

describe('two first starts at once', { timeout: 120_000 }, () => {
  test('with keys of their own: one starts, the other says whose keys it needs, and starts with them', async () => {
    const places = await twoMachines()
    await mustGoOn(winnerOf(places, await startedAtOnce(places)))
  })

  test('that both found no keys of the other: all keys that the database knows are of one of them', async () => {
    const places = await twoMachines()
    const db = openDatabase(databaseAddress(readConfig('start', places[0].variables)))
    await db.migrate()
    const folders = places.map(secretsOf)
    const claims = folders.map((folder) => {
      mkdirSync(path.dirname(folder), { recursive: true })
      openSecrets(folder)
      openLogKeys(folder)
      return claimKeys({ db, vault: createVault(openSealingKeys(folder)) }, folder, true)
    })
    const ends = await Promise.allSettled(claims)
    const winner = ends.findIndex(({ status }) => status === 'fulfilled')
    const own = [...keysIn(folders[winner]!)].map(([name, key]) => [name, fingerprintOf(key)])
    expect([...(await listKeyFingerprints(db))].toSorted()).toEqual(own.toSorted())
    expect(ends[1 - winner]).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining(`Ponga en ${folders[1 - winner]} las llaves`) },
    })
    await db.close()
  })

  test('with one folder of keys: both start, with the same keys and one store', async () => {
    const [first, second] = await twoMachines()
    const keys = path.join(path.dirname(first.data), 'keys')
    mkdirSync(keys, { mode: 0o700 })
    const sharing = [first, second].map(({ data, variables }) => ({
      ...{ data, variables: { ...variables, SECRETS_DIR: keys } },
    }))
    const started = { kind: 'started' }
    expect(await startedAtOnce(sharing)).toEqual([started, started])
    const config = readConfig('start', sharing[0]!.variables)
    const db = openDatabase(databaseAddress(config))
    // Each printed a link; the last one is for the first administrator.
    const links = await db.selectFrom('activations').select('state').execute()
    expect(links.map(({ state }) => state).toSorted()).toEqual(['ended', 'open'])
    await anOfficeIn(sharing[0]!)
    for (const place of sharing) expect(await startOf(place)).toEqual(started)
    const known = await findFileStore(db)
    await db.close()
    expect(known?.isConfirmed).toBe(true)
    const store = await openStore(config.files.place, { folder: first.data, cache: null })
    expect(await store.identity.read()).toBe(known?.id)
    expect(readFileSync(path.join(keys, 'log.key'))).toHaveLength(32)
  })
})
