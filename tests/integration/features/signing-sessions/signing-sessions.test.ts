import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { findVersion, listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, before, days, hours, minutes } from '#server/domain/time.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { listMyTurns } from '#server/features/signatures/list-my-turns.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { expireSigningSessions } from '#server/features/signing-sessions/expire-signing-sessions.ts'
import { extendSigningSession } from '#server/features/signing-sessions/extend-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { remindSigner } from '#server/features/signing-sessions/remind-signer.ts'
import { replaceSessionSigner } from '#server/features/signing-sessions/replace-session-signer.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import {
  aCeremony,
  aFurtherSession,
  anOpenSession,
  aParty,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import { onEachSigningSystem, signAs } from '#tests/support/office/signing-system.ts'
import { listReportedSignatures } from '#tests/support/pdf/reported-signatures.ts'

const reason = (text: string) => text as ReturnType<typeof Reason.parse>

onEachSigningSystem('signing sessions', (system) => {
  test('people sign one after the other, and the last signature completes the session', async () => {
    const scene = await aCeremony(system(), [1, 2])
    const { person, document, parties } = scene
    const input = sessionOf(
      [document],
      parties.map(({ asked }) => asked),
    )
    const session = await anOpenSession(system(), person, input)
    const { db } = system()
    expect(await findDocument(db, document.id)).toMatchObject({ state: 'signing', version: 2 })
    expect(await findVersion(db, document.id, 2)).toMatchObject({ cause: 'prepared', pages: 2 })

    const [first, second] = parties as [(typeof parties)[0], (typeof parties)[0]]
    await expect(signInSession(system(), second, document, 2)).rejects.toMatchObject({
      code: 'not-your-turn',
    })
    await signInSession(system(), first, document, 2)
    expect(await findDocument(db, document.id)).toMatchObject({ state: 'signing', version: 3 })
    await expect(signInSession(system(), first, document, 3)).rejects.toMatchObject({
      code: 'already-signed',
    })
    expect(await listMyTurns(system(), second.person, { limit: 10 })).toMatchObject({
      documents: [{ document: { id: document.id }, turn: 'now' }],
      count: 1,
    })
    await signInSession(system(), second, document, 2)
    expect(await findDocument(db, document.id)).toMatchObject({ state: 'signed', version: 4 })
    const ceremony = await findCeremony(db, session.id)
    expect(ceremony?.session).toMatchObject({ state: 'completed' })
    expect(ceremony?.signers.map(({ state }) => state)).toEqual(['signed', 'signed'])

    const signatures = await listReportedSignatures(db, document.id)
    expect(signatures.map(({ field }) => field)).toEqual(['Firmante-1', 'Firmante-2'])
    const report = signatures.at(-1)?.report
    expect(report?.verdict).toBe('VALID')
    expect(report?.signatures[0]?.modification).toBe('FORM_FILLING')
    const { fieldsInFile } = await readDocument(system(), person, { documentId: document.id })
    expect(fieldsInFile).toHaveLength(2)
    expect(fieldsInFile).toEqual(report?.signatures.map(({ field }) => field))
    expect((await system().log()).map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'signing-session.created',
        'signing-session.opened',
        'document.signed',
        'signing-session.completed',
      ]),
    )
  })

  test('ten signers at once: every signature is kept', async () => {
    const scene = await aCeremony(
      system(),
      Array.from({ length: 10 }, () => 1),
    )
    const { person, document, parties } = scene
    const input = sessionOf(
      [document],
      parties.map(({ asked }) => asked),
    )
    const session = await anOpenSession(system(), person, input)
    const whenFree = async (party: (typeof parties)[0]): Promise<void> => {
      try {
        // The version on the screen when the page was opened.
        await signInSession(system(), party, document, 2)
      } catch (error) {
        const again = ['someone-signing', 'stale-version', 'preparation-superseded']
        if (!(error instanceof Problem) || !again.includes(error.code)) throw error
        await pause(50)
        await whenFree(party)
      }
    }
    await Promise.all(parties.map(whenFree))
    const { db } = system()
    expect((await findCeremony(db, session.id))?.session.state).toBe('completed')
    const signatures = await listReportedSignatures(db, document.id)
    expect(new Set(signatures.map(({ signerId }) => signerId)).size).toBe(10)
    expect(signatures.at(-1)?.report).toMatchObject({ verdict: 'VALID' })
    expect(signatures.at(-1)?.report.signatures).toHaveLength(10)
  }, 240_000)

  test('session: only its signers sign, and no direct signature is possible', async () => {
    const { person, efirma, document, parties } = await aCeremony(system(), [1])
    await anOpenSession(
      system(),
      person,
      sessionOf(
        [document],
        parties.map(({ asked }) => asked),
      ),
    )
    await expect(
      signAs(system(), person, efirma, { id: document.id, version: 2 }),
    ).rejects.toMatchObject({ code: 'not-a-signer' })
    const other = await createSigningSession(
      system(),
      person,
      sessionOf(
        [document],
        parties.map(({ asked }) => asked),
      ),
    )
    await expect(
      openSigningSession(system(), person, { signingSessionId: other.id }),
    ).rejects.toMatchObject({ code: 'document-held' })
  })

  test('cancelled session: releases its unsigned documents', async () => {
    const { person, efirma, drafts, parties } = await aCeremony(system(), [1, 2], 2)
    const [one, two] = drafts as [(typeof drafts)[0], (typeof drafts)[0]]
    const session = await anOpenSession(
      system(),
      person,
      sessionOf(
        drafts,
        parties.map(({ asked }) => asked),
      ),
    )
    await signInSession(system(), parties[0]!, one, 2)
    await cancelSigningSession(system(), person, {
      signingSessionId: session.id,
      reason: reason('El comprador desistió'),
    })
    const { db } = system()
    expect(await findDocument(db, one.id)).toMatchObject({ state: 'cancelled', version: 3 })
    expect(await findDocument(db, two.id)).toMatchObject({ state: 'draft', version: 3 })
    const [restored, , original] = await listVersions(db, two.id)
    expect(restored).toMatchObject({ cause: 'restored', sha256: original!.sha256, pages: 1 })
    await expect(signInSession(system(), parties[1]!, one, 3)).rejects.toMatchObject({
      code: 'session-over',
    })
    await signAs(system(), person, efirma, { id: two.id, version: 3 })
    expect(await findDocument(db, two.id)).toMatchObject({ state: 'signed', version: 4 })
  })

  test('a deed stays a deed when a later session with it is given up half-way', async () => {
    const { person, efirma, document, parties } = await aCeremony(system(), [1, 2])
    await signAs(system(), person, efirma, document)
    const asked = parties.map((party) => party.asked)
    const { id } = await aFurtherSession(system(), person, { id: document.id, version: 2 }, asked)
    await signInSession(system(), parties[0]!, document, 2)
    const said = { signingSessionId: id, reason: reason('El comprador desistió') }
    await cancelSigningSession(system(), person, said)
    expect(await findDocument(system().db, document.id)).toMatchObject({
      state: 'signed',
      version: 3,
    })
  })

  test('two sessions with the same documents: one holds them', async () => {
    const scene = await aCeremony(system(), [1], 8)
    const { person, drafts } = scene
    const asked = scene.parties.map((party) => party.asked)
    const inputs = [sessionOf(drafts, asked), sessionOf(drafts.toReversed(), asked)]
    const opened = await Promise.allSettled(
      inputs.map((input) => anOpenSession(system(), person, input)),
    )
    expect(opened.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = opened.find((one) => one.status === 'rejected')
    expect(refused?.reason).toMatchObject({ code: 'document-held' })
  })

  test('a signer who rejects ends the session, with the reason', async () => {
    const { person, document, parties } = await aCeremony(system(), [1, 1])
    const session = await anOpenSession(
      system(),
      person,
      sessionOf(
        [document],
        parties.map(({ asked }) => asked),
      ),
    )
    const [first, second] = parties as [(typeof parties)[0], (typeof parties)[0]]
    await signInSession(system(), first, document, 2)
    const said = { signingSessionId: session.id, reason: reason('El precio no es el acordado') }
    const stale = { ...second.person, provenAt: before(system().clock.now(), minutes(10)) }
    await expect(rejectSigning(system(), stale, said)).rejects.toMatchObject({
      code: 'step-up-needed',
    })
    await rejectSigning(system(), second.person, said)
    const { db } = system()
    const alert = {
      ...{ kind: 'signing-rejected', severity: 'danger' },
      ...{ subject_kind: 'signing-session', subject_id: session.id },
    }
    expect(await listAlertRows(system())).toMatchObject([
      { ...alert, user_id: person.userId },
      { ...alert, user_id: first.person.userId },
    ])
    const ceremony = await findCeremony(db, session.id)
    expect(ceremony?.session).toMatchObject({ state: 'rejected', stateReason: said.reason })
    expect(ceremony?.signers.map(({ state }) => state).sort()).toEqual(['rejected', 'signed'])
    expect(await findDocument(db, document.id)).toMatchObject({ state: 'rejected' })
    await expect(rejectSigning(system(), second.person, said)).rejects.toMatchObject({
      code: 'session-state',
    })
  })

  test('ended session: its signers are told, strangers get not found', async () => {
    const scene = await aCeremony(system(), [1, 1])
    const { person, document, parties } = scene
    const asked = parties.map((party) => party.asked)
    const session = await anOpenSession(system(), person, sessionOf([document], asked))
    const stranger = await aParty(system(), scene, 'QUIM860404SK2', 1)
    const said = { signingSessionId: session.id, reason: reason('No se hará') }
    await cancelSigningSession(system(), person, said)
    for (const party of parties)
      await expect(signInSession(system(), party, document, 2)).rejects.toMatchObject({
        code: 'session-over',
      })
    await expect(signInSession(system(), stranger, document, 2)).rejects.toMatchObject({
      code: expect.stringMatching(/forbidden|stale-version/),
    })
  })

  test('deadline: no signature after it until the session is extended', async () => {
    const { person, document, parties } = await aCeremony(system(), [1])
    const deadline = after(system().clock.now(), hours(1))
    const session = await anOpenSession(
      system(),
      person,
      sessionOf(
        [document],
        parties.map(({ asked }) => asked),
        { deadline },
      ),
    )
    system().wait(hours(2))
    await expect(signInSession(system(), parties[0]!, document, 2)).rejects.toMatchObject({
      code: 'session-overdue',
    })
    await expireSigningSessions(system())
    await expireSigningSessions(system())
    const { db } = system()
    expect((await findCeremony(db, session.id))?.session.state).toBe('expired')
    const late = async () =>
      (await listAlertRows(system())).filter(({ kind }) => kind === 'session-late')
    expect(await late()).toMatchObject([
      {
        ...{ user_id: person.userId, subject_id: session.id, state: 'open' },
        facts: expect.stringContaining(document.folio),
      },
    ])
    await extendSigningSession(system(), person, {
      signingSessionId: session.id,
      deadline: after(system().clock.now(), days(3)),
    })
    expect(await late()).toMatchObject([{ state: 'resolved' }])
    await signInSession(system(), parties[0]!, document, 2)
    expect((await findCeremony(db, session.id))?.session.state).toBe('completed')
  })

  test('signer: a replacement takes the place of one who has not signed', async () => {
    const scene = await aCeremony(system(), [1, 2])
    const { person, document, parties } = scene
    const session = await anOpenSession(
      system(),
      person,
      sessionOf(
        [document],
        parties.map(({ asked }) => asked),
      ),
    )
    const [first, second] = parties as [(typeof parties)[0], (typeof parties)[0]]
    await signInSession(system(), first, document, 2)
    const { db } = system()
    const gone = (await findCeremony(db, session.id))?.signers[1]
    const successor = await aParty(system(), scene, 'QUIM860404SK2', 1)
    await replaceSessionSigner(system(), person, {
      signingSessionId: session.id,
      signerId: gone!.id,
      by: successor.asked,
      reason: reason('Está de viaje'),
    })
    await expect(signInSession(system(), second, document, 3)).rejects.toMatchObject({
      code: 'not-a-signer',
    })
    await signInSession(system(), successor, document, 3)
    expect((await findCeremony(db, session.id))?.session.state).toBe('completed')
    expect((await listReportedSignatures(db, document.id)).at(-1)).toMatchObject({
      field: 'Firmante-2',
    })
  })

  test('a reminder goes to whose turn it is, not twice in half a day', async () => {
    const { person, document, parties } = await aCeremony(system(), [1, 2])
    const session = await anOpenSession(
      system(),
      person,
      sessionOf(
        [document],
        parties.map(({ asked }) => asked),
      ),
    )
    const { db } = system()
    const [first, second] = (await findCeremony(db, session.id))!.signers
    const remind = (signerId: NonNullable<typeof first>['id']) =>
      remindSigner(system(), person, { signingSessionId: session.id, signerId })
    await expect(remind(second!.id)).rejects.toMatchObject({ code: 'session-state' })
    await remind(first!.id)
    await expect(remind(first!.id)).rejects.toMatchObject({ code: 'reminded-already' })
    system().wait(hours(13))
    await remind(first!.id)
  })
})
