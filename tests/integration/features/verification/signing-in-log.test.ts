import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { auditVerifyProof } from '#server/cli/audit-verify-proof.ts'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { parseInclusionProofs, provenHead } from '#server/domain/audit/inclusion-proof.ts'
import { formatVerifierKey } from '#server/domain/audit/signed-note.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { proveSigning } from '#server/features/verification/prove-signing.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { stranger } from '#tests/support/builders.ts'
import {
  addEvents,
  FIRST,
  relabelEvent,
  rewriteEvent,
  tamper,
} from '#tests/support/office/log-events.ts'
import { aScene, onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'
import { said } from '#tests/support/processes/command-line.ts'

onEachSigningSystem('a signing in the log', (current) => {
  const standing = async (id: string) => {
    // The answer is remembered for five seconds.
    current().wait(seconds(6))
    const found = await readVerification(current(), stranger(), { id })
    return found.kind === 'found' ? found.log : undefined
  }

  const checkpoint = async () => {
    current().wait(minutes(1))
    return await checkpointLogs(current())
  }

  async function aSigned() {
    const { person, efirma, document } = await aScene(current())
    await signAs(current(), person, efirma, document)
    const log = await current().log()
    return { id: document.id, event: log.find(({ action }) => action === 'document.signed')! }
  }

  test('is publicly provable once a checkpoint includes it', async () => {
    const system = current()
    await addEvents(system.db, 300)
    await checkpoint()
    const { id, event } = await aSigned()
    expect(await standing(id)).toEqual({ kind: 'waiting', events: [event.seq] })
    await expect(proveSigning(system, stranger(), { id })).rejects.toMatchObject({
      code: 'not-found',
    })
    await checkpoint()
    const log = await standing(id)
    expect(log).toMatchObject({ kind: 'proven', events: [event.seq] })

    const { proofs } = await proveSigning(system, stranger(), { id })
    const [proof, ...more] = parseInclusionProofs(proofs)!
    expect([proof?.index, proof?.leaf, more]).toEqual([event.seq, event.leafHash, []])
    const { verifier } = system.settings.logKeys(FIRST)
    expect(provenHead(proof!, [verifier])).toMatchObject(
      log?.kind === 'proven' ? { ...log.heads[0] } : {},
    )
    // Hashes, positions and the log's name; no event data.
    const shown = proofs.replace(/(?:^|(?<=extra ))[A-Za-z0-9+/]{43}=$/gm, 'HASH')
    expect(shown).toMatch(
      /^c2sp\.org\/tlog-proof@v1\nextra HASH\nindex \d+\n(?:HASH\n)+\nrubrica\/bitacora\/[0-9a-f]{16}\n\d+\nHASH\n\n— rubrica\/bitacora\/[0-9a-f]{16} \S{92}\n$/,
    )
  })

  test('is verified by the command line, with the event and without', async () => {
    const system = current()
    const { id, event } = await aSigned()
    await checkpoint()
    const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-proof-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const { proofs } = await proveSigning(system, stranger(), { id })
    const rows = await system.db.selectFrom('audit_events').selectAll().orderBy('seq').execute()
    const line = (seq: number) => `${new TextDecoder().decode(rows[seq]?.canonical)}\n`
    writeFileSync(path.join(folder, 'prueba'), proofs)
    writeFileSync(path.join(folder, 'cambiada'), proofs.replace(/index \d+/, 'index 0'))
    writeFileSync(path.join(folder, 'eventos.jsonl'), line(event.seq))
    writeFileSync(path.join(folder, 'otros.jsonl'), line(0))
    const key = formatVerifierKey(system.settings.logKeys(FIRST).verifier)
    const verify = (...args: string[]) => said(() => auditVerifyProof(args, folder))

    const good = await verify('--key', key, '--events', 'eventos.jsonl', 'prueba')
    expect(good).toMatchObject({ status: 0, errors: [] })
    expect(good.output[0]).toContain(`Evento ${event.seq}: CONSTA`)
    const json = await verify('--json', '--key', key, 'prueba')
    expect(JSON.parse(json.output[0] ?? '')).toMatchObject({
      event: event.seq,
      leaf: event.leafHash,
      included: true,
    })
    const other = await verify('--key', key, '--events', 'otros.jsonl', 'prueba')
    expect([other.status, other.output[0]]).toEqual([1, expect.stringContaining('NO ES')])
    const changed = await verify('--key', key, 'cambiada')
    expect([changed.status, changed.output[0]]).toEqual([
      1,
      expect.stringContaining('NO COMPROBADO'),
    ])
    expect((await verify('--key', key, 'eventos.jsonl')).status).toBe(1)
    writeFileSync(path.join(folder, 'enorme'), '')
    truncateSync(path.join(folder, 'enorme'), (64 << 20) + 1)
    const large = await verify('--key', key, 'enorme')
    expect([large.status, large.errors[0]]).toEqual([2, 'enorme es demasiado grande.'])
    for (const args of [['prueba'], ['--key', key], ['--key', key, 'nada']])
      expect((await verify(...args)).status).toBe(2)
  })

  test('is not called proven if its event was rewritten', async () => {
    const system = current()
    const { id, event } = await aSigned()
    await checkpoint()
    await tamper(system.db, rewriteEvent(event.seq))
    expect(await standing(id)).toEqual({ kind: 'unproven' })
    await expect(proveSigning(system, stranger(), { id })).rejects.toMatchObject({
      code: 'not-found',
    })
  })

  /** Makes the event at this position record that the document was signed. */
  const pretend = (seq: number, id: string) => sql`update audit_events
    set action = 'document.signed', subject_id = ${id},
      office_id = (select office_id from documents where id = ${id}) where seq = ${seq}`

  test('is proven by its event, not by the columns beside it', async () => {
    const { db } = current()
    await addEvents(db, 2)
    const { id, event } = await aSigned()
    await checkpoint()
    const hidden = sql`update audit_events set subject_id = 'x' where seq = ${event.seq}`
    await tamper(db, hidden, pretend(1, id))
    expect(await standing(id)).toEqual({ kind: 'unproven' })
    await tamper(db, pretend(event.seq, id))
    expect(await standing(id)).toEqual({ kind: 'unproven' })
    await tamper(db, sql`update audit_events set subject_id = 'x' where seq = 1`)
    expect(await standing(id)).toMatchObject({ kind: 'proven', events: [event.seq] })
  })

  test.each([
    ['a second time', {}],
    ['of other bytes', { sha256: '0'.repeat(64) }],
    ['of an unsigned version', { version: 1 }],
  ])('is not called proven if the log records %s', async (_, changes) => {
    const { db } = current()
    const { id, event } = await aSigned()
    const { officeId, at, action, subject, result } = event
    const details = { ...event.details, ...changes }
    const recorded = { by: 'a test', officeId, at, action, subject, result, details }
    await db.transaction((trx) => appendSystemEvent(trx, recorded))
    await checkpoint()
    expect(await standing(id)).toEqual({ kind: 'unproven' })
    await tamper(db, sql`update audit_events set subject_id = 'x' where seq = ${event.seq}`)
    const isTheSame = Object.keys(changes).length === 0
    expect(await standing(id)).toMatchObject({ kind: isTheSame ? 'proven' : 'unproven' })
  })

  test.each([
    ['of the event', 'proven', (seq: number) => relabelEvent(seq, 'x')],
    ['of its neighbour', 'unproven', (seq: number) => relabelEvent(seq - 1, 'x')],
    ['of the checkpoint', 'proven', () => sql`update audit_checkpoints set root = 'x'`],
  ])('with a malformed stored hash %s is %s', async (_, kind, change) => {
    const { id, event } = await aSigned()
    await checkpoint()
    await tamper(current().db, change(event.seq))
    expect(await standing(id)).toMatchObject({ kind })
  })

  test('of a draft is answered like an unknown one', async () => {
    const { document } = await aScene(current())
    await checkpoint()
    for (const id of [document.id, '00000000-0000-4000-8000-000000000000', 'testamento'])
      await expect(proveSigning(current(), stranger(), { id })).rejects.toMatchObject({
        code: 'not-found',
        message: 'no public document',
      })
  })
})
