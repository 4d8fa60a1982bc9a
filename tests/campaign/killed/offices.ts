import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import type { DialectName } from '#server/db/database.ts'
import { startPostgresServer } from '#tests/support/postgres-server.ts'
import {
  environmentOf,
  type OfficePlace,
  type WithRows,
  withRowsOf,
} from '#tests/support/processes/office-rows.ts'
import {
  type Acknowledged,
  nothingYet,
  type Signers,
  signersOf,
} from '#tests/support/processes/office-work.ts'
import { copyFolder } from '#tests/support/processes/prepared-demo.ts'
import {
  freePort,
  killWhileStarting,
  type ServerProcess,
  startServer,
} from '#tests/support/processes/server-process.ts'

/** An office whose server is killed again and again. */
export type Office = {
  dialect: DialectName
  place: OfficePlace
  withRows: WithRows
  origin: string
  signers: Signers
  /** All work since the office was made. */
  done: Acknowledged
  begin(): Promise<ServerProcess>
  killWhileStarting(afterMs: number): Promise<string>
  /** Where its backup may be restored. */
  emptyPlace(): Promise<{ place: OfficePlace; remove(): Promise<void> }>
  remove(): Promise<void>
}

/** Makes offices of the demo, each on rows and files of its own. */
export type Offices = { make(dialect: DialectName): Promise<Office>; close(): Promise<void> }

/** @param folder for the files */
export async function openOffices(folder: string): Promise<Offices> {
  const postgres = await startPostgresServer()
  const onServer = async (statement: string) => {
    const client = new pg.Client({ connectionString: `${postgres.url}postgres` })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  let count = 0
  const bases = new Map<DialectName, Promise<OfficePlace>>()
  const newPlace = async (dialect: DialectName, like?: OfficePlace): Promise<OfficePlace> => {
    count += 1
    const dataFolder = path.join(folder, `office-${count}`)
    mkdirSync(dataFolder)
    if (like) copyFolder(like.dataFolder, dataFolder)
    if (dialect === 'sqlite') return { dataFolder }
    const name = `campaign_${count}`
    const template = like?.databaseUrl?.slice(postgres.url.length) ?? 'template0'
    await onServer(`create database ${name} template ${template}`)
    return { dataFolder, databaseUrl: `${postgres.url}${name}` }
  }
  /* Making people, keys and documents takes seconds: every office is a copy of one that was made once. */
  const baseOf = (dialect: DialectName) => {
    const made = bases.get(dialect) ?? newPlace(dialect).then(madeOnce)
    bases.set(dialect, made)
    return made
  }
  const remove = async (place: OfficePlace) => {
    rmSync(place.dataFolder, { recursive: true, force: true })
    const name = place.databaseUrl?.slice(postgres.url.length)
    if (name !== undefined) await onServer(`drop database ${name} with (force)`)
  }
  return {
    async make(dialect) {
      const place = await newPlace(dialect, await baseOf(dialect))
      const emptyPlace = async () => {
        const empty = await newPlace(dialect)
        return { place: empty, remove: () => remove(empty) }
      }
      return { ...(await opened(dialect, place)), emptyPlace, remove: () => remove(place) }
    },
    close: postgres.stop,
  }
}

async function madeOnce(place: OfficePlace): Promise<OfficePlace> {
  const PORT = String(await freePort())
  const server = await startServer('demo', { PORT, ...environmentOf(place) })
  await server.stop()
  return place
}

async function opened(
  dialect: DialectName,
  place: OfficePlace,
): Promise<Omit<Office, 'emptyPlace' | 'remove'>> {
  const PORT = String(await freePort())
  const environment = { PORT, ...environmentOf(place) }
  const origin = `http://localhost:${PORT}`
  const withRows = withRowsOf(place)
  const begin = () => startServer('demo', environment)
  const server = await begin()
  const signers = await signersOf(origin, place.dataFolder, withRows)
  await server.stop()
  return {
    ...{ dialect, place, withRows, origin, signers, begin, done: nothingYet() },
    killWhileStarting: (afterMs) => killWhileStarting('demo', environment, afterMs),
  }
}
