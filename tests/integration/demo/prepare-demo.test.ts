import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/adapters/clock.ts'
import { type Composed, compose } from '#server/compose.ts'
import { type Config, readConfig } from '#server/config.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { listUsers } from '#server/db/people/users.ts'
import { actorFor } from '#server/demo/demo-actor.ts'
import { type DemoFiles, makeDemoFiles } from '#server/demo/demo-files.ts'
import { PEOPLE } from '#server/demo/people.ts'
import { prepareDemo } from '#server/demo/prepare-demo.ts'
import { renderSampleDeed } from '#server/demo/sample-deed.ts'
import { SAMPLE_DEEDS } from '#server/demo/sample-deeds.ts'
import { openForSigners } from '#server/demo/seed-documents.ts'
import { seedOffice } from '#server/demo/seed-office.ts'
import { serveAuthority } from '#server/demo/serve-authority.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { signOnServer } from '#server/features/signatures/sign-on-server.ts'
import { aPdf } from '#tests/support/office/signing-system.ts'
import { freePort } from '#tests/support/processes/server-process.ts'

/* The demo office; its preparation may be interrupted and repeated. */
const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-prepare-demo-'))
let config: Config
let files: DemoFiles
let composed: Composed
let server: Server

beforeAll(async () => {
  const port = await freePort()
  config = readConfig('demo', { PORT: String(port), DATA_DIR: folder, DEMO_OFFICE: 'small' })
  files = await makeDemoFiles(path.join(folder, 'demo'), systemClock.now())
  server = createServer(express().use(serveAuthority(files.services, systemClock)))
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  composed = await compose(config)
}, 60_000)

afterAll(async () => {
  await composed.close()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

const DEED = SAMPLE_DEEDS.find(({ signers }) => signers.length === 2)!

test('a start that was interrupted while a deed was signed is finished by the next one', async () => {
  const { system } = composed
  const { users } = await seedOffice(system, files, PEOPLE)
  const [first = ''] = DEED.signers
  const efirma = files.efirmas.get(first)!
  const { id } = await uploadDocument(system, actorFor(system, users, 'auxiliar'), {
    title: DEED.title,
    kind: DEED.kind,
    instrument: null,
    fileName: `${DEED.title}.pdf`,
    content: [renderSampleDeed(DEED)],
  })
  await openForSigners(system, users, DEED, id)
  await signOnServer(system, actorFor(system, users, first), {
    documentId: id,
    version: 2,
    certificate: new Uint8Array(readFileSync(efirma.cer)),
    privateKey: new Uint8Array(readFileSync(efirma.key)),
    password: efirma.keyPassword,
    consent: true,
  })
  await prepareDemo(system, config, files)
  const kept = (await titles()).filter(({ title }) => title === DEED.title)
  expect(kept).toEqual([{ title: DEED.title, state: 'signed', version: 4 }])
}, 60_000)

test('a later start brings in nothing again, however much stands before it in the list', async () => {
  const { system } = composed
  const [office] = await listOffices(system.db)
  const users = await listUsers(system.db, office!.id)
  const clerk = actorFor(system, users, 'auxiliar')
  const letters = Array.from({ length: 51 }, (_, index) => `Carta ${index + 1}`)
  for (const title of letters)
    await uploadDocument(system, clerk, {
      title,
      kind: 'letter',
      instrument: null,
      fileName: 'carta.pdf',
      content: [await aPdf(title)],
    })
  const before = await titles()
  await prepareDemo(system, config, files)
  expect(await titles()).toEqual(before)
}, 60_000)

const titles = () =>
  composed.system.db
    .selectFrom('documents')
    .select(['title', 'state', 'version'])
    .orderBy('folio_number')
    .execute()
