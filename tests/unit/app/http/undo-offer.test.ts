import { createHash, randomUUID } from 'node:crypto'
import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { actorContext, systemContext } from '#app/http/context.ts'
import { readFlash } from '#app/http/cookies/flash.ts'
import { flashWithUndo, openUndo, type Undo } from '#app/http/cookies/undo-offer.ts'
import { flashTexts } from '#app/messages/notices.ts'
import { createVault } from '#server/adapters/vault.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { ActId, AlertId, DocumentId, DocumentViewId } from '#server/domain/ids.ts'
import { MOST_ITEMS } from '#server/domain/signing/act/checklist.ts'
import { KnownParty } from '#server/domain/signing/session/party.ts'
import type { System } from '#server/system.ts'
import { anOffice, asPerson, aUser, MORNING } from '#tests/support/builders.ts'
import { testSealingKeys } from '#tests/support/keys/sealing-keys.ts'
import { aSession, aSigner } from '#tests/support/office/session-rows.ts'

const vault = createVault(testSealingKeys())
const author = aUser(anOffice())
const person = asPerson(author)

function contextOf(actor: Person): RouterContextProvider {
  const context = new RouterContextProvider()
  context.set(systemContext, { vault } as System)
  context.set(actorContext, actor)
  return context
}

const viewWith = (query: string): Undo => ({
  kind: 'view',
  view: {
    ...{ id: DocumentViewId.parse('7d0e6a4c-5d5e-4c0b-9c43-0d8f1a2b3c4d'), userId: person.userId },
    ...{ name: 'Núñez', query, createdAt: MORNING },
  },
  doneAt: MORNING,
})

function flashOf(undo: Undo | null) {
  const line = flashWithUndo(contextOf(person), 'view-removed', undo)
  const [cookie = ''] = line.split(';', 1)
  return { line, flash: readFlash(new Request('http://localhost/', { headers: { cookie } })) }
}

test('offer to undo: comes back as it was, for its session only, and not readable', () => {
  const undo = viewWith('kind=will')
  const { line, flash } = flashOf(undo)
  const offer = flash?.undo ?? ''
  expect(flash).toEqual({ ...flashTexts['view-removed'], undo: offer })
  expect(openUndo(contextOf(person), offer)).toEqual(undo)
  expect(line).not.toMatch(/N%C3%BA|kind/)
  const other = { ...person, sessionId: 'other' as Person['sessionId'] }
  expect(openUndo(contextOf(other), offer)).toBeUndefined()
  const flipped = offer.slice(0, 40) + (offer[40] === 'A' ? 'B' : 'A') + offer.slice(41)
  for (const altered of ['', '1.AAAA', flipped, offer.slice(0, -2)])
    expect(openUndo(contextOf(person), altered)).toBeUndefined()
})

/** Returns text that compresses to about its own length. */
const noise = (length: number) =>
  Array.from({ length: Math.ceil(length / 43) }, (_, index) =>
    createHash('sha256').update(`${index}`).digest('base64url'),
  )
    .join('')
    .slice(0, length)

test('offer to undo: none without something to undo, nor if the cookie would be too long', () => {
  expect(flashOf(null).flash).toEqual(flashTexts['view-removed'])
  expect(flashOf(viewWith(`text=${noise(2_900)}`)).flash).toEqual(flashTexts['view-removed'])
  const { line, flash } = flashOf(viewWith(`text=${noise(1_900)}`))
  expect(flash).toHaveProperty('undo')
  expect(line.length).toBeLessThan(4_096)
})

test('offer to undo: of something that was removed from a session or the catalogue has what it was', () => {
  const session = aSession(author)
  const signer = aSigner(session, 1)
  const party = KnownParty.parse({
    ...{ id: randomUUID(), officeId: author.officeId, name: 'Benito Núñez', rfc: 'NUPB801201QX7' },
    ...{ email: null, character: 'Comprador', at: MORNING, by: author.id },
  })
  const [signingSessionId, documentId] = [session.id, DocumentId.parse(randomUUID())]
  const all: Undo[] = [
    { kind: 'party', party, doneAt: MORNING },
    { kind: 'signer', signer, doneAt: MORNING },
    { kind: 'session-document', signingSessionId, documentId, place: 2, doneAt: MORNING },
  ]
  for (const undo of all)
    expect(openUndo(contextOf(person), flashOf(undo).flash?.undo ?? '')).toEqual(undo)
})

test('offer to undo: of another shape undoes nothing', () => {
  const before = { state: 'open' as const, stateSince: MORNING, stateBy: null }
  const undo = {
    kind: 'alert' as const,
    alertId: AlertId.parse(randomUUID()),
    before,
    doneAt: MORNING,
  }
  const opened = (sealed: Undo) => openUndo(contextOf(person), flashOf(sealed).flash?.undo ?? '')
  expect(opened(undo)).toEqual(undo)
  // An alert was not resolved before it was.
  expect(opened({ ...undo, before: { ...before, state: 'resolved' as never } })).toBeUndefined()
})

test('offer to undo: the longest list fits into the cookie', () => {
  const [documentId, actId] = [DocumentId.parse(randomUUID()), ActId.parse(randomUUID())]
  const checks = Array.from({ length: MOST_ITEMS }, (_, index) => ({
    ...{ documentId, actId, actName: 'Compraventa con apertura de crédito' },
    ...{ position: index + 1, state: 'open' as const, note: null, at: MORNING, by: person.userId },
    ...{ text: `Punto ${index + 1}: antecedente de propiedad y avalúo`, phase: 'before' as const },
    need: 'required' as const,
  }))
  const undo: Undo = { kind: 'checklist', documentId, actId, checks, doneAt: MORNING }
  const { flash } = flashOf(undo)
  expect(openUndo(contextOf(person), flash?.undo ?? '')).toEqual(undo)
})
