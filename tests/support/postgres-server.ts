import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#server/db/database.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Ends in a slash: the name of a database follows. */
    postgresUrl: string
  }
}

/** PostgreSQL refuses to run as root: then it runs as the unprivileged user 65534, which every Debian has. */
const UNPRIVILEGED = 65_534
const isRoot = process.getuid?.() === 0
const asServer: SpawnOptions = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}

/** One private cluster for the whole run. */
export default async function startPostgres(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgresServer()
  project.provide('postgresUrl', url)
  return stop
}

/**
 * A private cluster on loopback.
 *
 * @param kept the folder of the cluster, which stays and is used again; without it one that is removed at the end
 * @returns its address, ending in a slash
 */
export async function startPostgresServer(
  kept?: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'rubrica-postgres-'))
  if (kept) mkdirSync(kept, { recursive: true })
  let server: ChildProcess | undefined
  // Also when the run is interrupted, and when the start fails half-way.
  const end = () => {
    server?.kill('SIGQUIT')
    if (!kept) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', end)
  try {
    if (isRoot) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED)
    const binaries = findPostgresBinaries(folder)
    const data = join(folder, 'data')
    const isNew = !existsSync(data)
    if (isNew) await makeCluster(join(binaries, 'initdb'), data, folder)
    const port = await freePort()
    server = startServer(join(binaries, 'postgres'), data, folder, port)
    const url = `postgres://postgres@127.0.0.1:${port}/`
    await answering(url, server)
    if (isNew) await createTemplate(url)
    return {
      url,
      async stop() {
        process.off('exit', end)
        await stopped(server)
        end()
      },
    }
  } catch (error) {
    end()
    throw error
  }
}

const makeCluster = (program: string, data: string, folder: string) =>
  finished(
    program,
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    folder,
  )

function startServer(program: string, data: string, folder: string, port: number): ChildProcess {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    // Too long a path breaks sockets; loopback is enough.
    unix_socket_directories: '',
    max_connections: 200,
    // The data lives as long as the tests: nothing here need survive a power cut.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return spawn(program, ['-D', data, ...options], { ...asServer, cwd: folder, stdio: 'ignore' })
}

async function finished(program: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(program, args, { ...asServer, cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaint = ''
  child.stderr?.on('data', (chunk) => {
    complaint += chunk
  })
  const code = await new Promise((resolve, reject) =>
    child.on('close', resolve).on('error', reject),
  )
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${complaint}`)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`)
    try {
      return await run(`${url}postgres`, 'select 1')
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error('postgres does not answer')
}

/** Migrated once; every test gets a copy. */
async function createTemplate(url: string): Promise<void> {
  await run(`${url}postgres`, 'create database template_rubrica')
  const db = openDatabase(`${url}template_rubrica`)
  await db.migrate()
  await db.close()
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end().catch(() => {})
  }
}

async function stopped(server: ChildProcess | undefined): Promise<void> {
  if (!server || server.exitCode !== null) return
  const gone = new Promise((resolve) => server.once('exit', resolve))
  // Fast shutdown: breaks connections off, leaves no process behind.
  server.kill('SIGINT')
  await gone
}
