import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import {
  aPdf,
  aTitle,
  downloadVersion,
  idIn,
  sha256Of,
  signDeed,
  signingParts,
} from '#tests/e2e/support/deeds.ts'
import { type Answered, type Client, clientOf, signedInClient } from '#tests/e2e/support/http.ts'
import type { Demo } from '#tests/support/processes/demo-server.ts'
import { copyPreparedDemo } from '#tests/support/processes/prepared-demo.ts'
import {
  freePort,
  type ServerProcess,
  startServer,
} from '#tests/support/processes/server-process.ts'

/*
 * A disk of 120 MB is filled while the office works. Where none can be mounted, the failing files of
 * tests/integration/documents/full-disk.test.ts and tests/integration/adapters/guarded-blobs.test.ts stand for it,
 * which always run.
 */

const MEGABYTE = 1024 ** 2
const SIGN_INS = 30
const MOST_READS = 5_000

const mountDisk = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=120m,mode=0700', 'tmpfs', folder]).status === 0
const unmount = (folder: string) => spawnSync('umount', ['-l', folder])

function canMountDisk(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-disk-'))
  const canMount = mountDisk(folder)
  if (canMount) unmount(folder)
  rmSync(folder, { recursive: true, force: true })
  return canMount
}

let disk: string
let server: ServerProcess
let environment: Record<string, string>

async function startOnSmallDisk(): Promise<void> {
  test.setTimeout(180_000)
  disk = mkdtempSync(path.join(tmpdir(), 'rubrica-full-disk-'))
  mountDisk(disk)
  copyPreparedDemo(disk)
  environment = { PORT: String(await freePort()), DATA_DIR: disk }
  server = await startServer('demo', environment)
}

async function stop(): Promise<void> {
  await server?.stop()
  unmount(disk)
  rmSync(disk, { recursive: true, force: true })
}

const room = () => {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

/** Writes litter until so many bytes are free. */
function fillUpTo(free: number, name = 'litter'): void {
  const litter = openSync(path.join(disk, name), 'a')
  try {
    while (room() > free)
      writeSync(litter, Buffer.alloc(Math.min(MEGABYTE, Math.max(1, room() - free)), 'x'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(litter)
  }
}

const demoOf = () => JSON.parse(readFileSync(path.join(disk, 'demo/demo.json'), 'utf8')) as Demo
const originOf = () => `http://localhost:${environment.PORT}`

/** The database still has pages of its own to fill. */
async function untilRefused(read: () => Promise<Answered>): Promise<Answered> {
  for (let turn = 0; turn < MOST_READS; turn += 1) {
    const answer = await read()
    if (answer.status !== 200) return answer
  }
  throw new Error(`${MOST_READS} events were written on a full disk`)
}

const upload = (client: Client, bytes: Uint8Array): Promise<Answered> =>
  client.postParts('/dashboard/documents/new', [
    { name: 'title', content: aTitle() },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'escritura.pdf', content: bytes },
  ])

const verify = (client: Client): Promise<Answered> =>
  client.postParts('/verify/document/report.json', [
    { name: 'file', fileName: 'recibido.pdf', content: aPdf() },
  ])

async function fillTheDisk(): Promise<void> {
  test.setTimeout(240_000)
  const origin = originOf()
  const { users } = demoOf()
  const [clerk, notary] = ['CLERK', 'NOTARY'].map(
    (role) => users.find(({ roles }) => roles[0] === role)!,
  )
  const staff = await signedInClient(origin, clerk!)
  const kept: { id: string; version: number; sha256: string }[] = []
  const uploadKept = async () => {
    const bytes = aPdf()
    const answer = await upload(staff, bytes)
    expect(answer.status).toBe(303)
    const id = idIn(answer.headers.location)
    kept.push({ id, version: 1, sha256: sha256Of(bytes) })
    return id
  }
  const first = await uploadKept()
  const second = await uploadKept()
  expect((await verify(clientOf(origin))).status).toBe(200)
  await expect.poll(() => existsSync(path.join(disk, 'reserve'))).toBe(true)

  fillUpTo(10 * MEGABYTE)
  const stranger = await verify(clientOf(origin))
  expect(stranger.status).toBe(503)
  expect(stranger.text).toContain('En este momento no se pueden verificar más archivos.')
  await uploadKept()

  fillUpTo(4 * MEGABYTE)
  const refused = await upload(staff, aPdf())
  expect(refused.status).toBe(507)
  expect(refused.text).toContain('El servidor ya no tiene espacio en el disco.')
  await signDeed(origin, { id: first }, notary!)

  fillUpTo(0)
  expect(room()).toBeLessThan(MEGABYTE)
  const sessions: Client[] = []
  for (let turn = 0; turn < SIGN_INS; turn += 1)
    sessions.push(await signedInClient(origin, turn % 2 ? clerk! : notary!))
  const late = sessions.at(-1)!
  for (const address of ['/dashboard', '/dashboard/documents', `/dashboard/documents/${first}`])
    expect((await late.get(address)).status, address).toBe(200)
  for (const { id, version, sha256 } of kept)
    expect(sha256Of(await downloadVersion(late, { id }, version))).toBe(sha256)
  const signer = sessions.at(-2)!
  const signature = await signer.postParts(
    `/dashboard/documents/${second}/sign/without-scripts`,
    signingParts(notary!),
  )
  expect(signature.status).toBe(507)
  expect((await upload(late, aPdf())).status).toBe(507)
  expect((await verify(clientOf(origin))).status).toBe(503)

  // Another program takes the room of the reserve, too: nothing is done whose event cannot be written.
  fillUpTo(0, 'more-litter')
  const download = `/dashboard/documents/${first}/download/1`
  const refusal = await untilRefused(() => late.get(download))
  expect(refusal.status).toBe(507)
  expect(refusal.text).toContain('El servidor ya no tiene espacio en el disco.')
  const { email, password } = notary!
  expect([303, 507]).toContain((await clientOf(origin).post('/login', { email, password })).status)
  rmSync(path.join(disk, 'more-litter'))

  // The power fails, too.
  await server.kill()
  await server.stop()
  server = await startServer('demo', environment)
  const again = await signedInClient(origin, clerk!)
  expect((await again.get('/dashboard/documents')).status).toBe(200)

  rmSync(path.join(disk, 'litter'))
  expect((await upload(again, aPdf())).status).toBe(303)
  await signDeed(origin, { id: second }, notary!)
  for (const { id, version, sha256 } of kept)
    expect(sha256Of(await downloadVersion(again, { id }, version))).toBe(sha256)
  expect((await verify(clientOf(origin))).status).toBe(200)
  expect(server.logged()).not.toContain('"msg":"failed"')
}

if (canMountDisk()) {
  test.beforeAll(startOnSmallDisk)
  test.afterAll(stop)
  test(
    'full disk: strangers are refused first, uploads next, sign-in and reading never, and nothing is lost',
    fillTheDisk,
  )
} else console.info('No disk can be mounted here: full-disk.test.ts alone fills one.')
