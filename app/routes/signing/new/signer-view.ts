import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { peopleChoices } from '#app/http/shown-person.ts'
import { type ActView, actView } from '#app/routes/signing/sessions/act-view.ts'
import { ActId, PartyId } from '#server/domain/ids.ts'
import { isProblem } from '#server/domain/problem.ts'
import { actIn, type SessionAct } from '#server/domain/signing/act/act.ts'
import { isSameRole } from '#server/domain/signing/act/roles-met.ts'
import { listActs } from '#server/features/acts/list-acts.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listKnownParties } from '#server/features/parties/list-known-parties.ts'
import { readParty } from '#server/features/parties/read-party.ts'
import { listColleagues } from '#server/features/signing-sessions/list-colleagues.ts'
import { countText } from '#server/words/acts.ts'
import { isVacant, type SignerRow, withRow } from './signer-rows.ts'

type Context = Readonly<RouterContextProvider>

/** The users of the office who can be asked. */
export async function staffOf(context: Context) {
  const staff = await listColleagues(context.get(systemContext), context.get(actorContext))
  const signs = (role: 'NOTARY' | 'LAWYER') =>
    staff.flatMap(({ id, roles }) => (roles.includes(role) ? [id as string] : []))
  return {
    colleagues: peopleChoices(staff),
    notaries: signs('NOTARY'),
    /** They sign by their office, without a declared character. */
    characterless: new Set([...signs('NOTARY'), ...signs('LAWYER')]),
  }
}

/** The act in use with this id, as a session would have it; undefined for none. */
export async function actOf(context: Context, text: string): Promise<SessionAct | undefined> {
  const id = ActId.safeParse(text).data
  if (!id) return undefined
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const acts = await listActs(system, actor)
  const act = acts.find((one) => one.id === id && one.state === 'active')
  const { entity } = await readOffice(system, actor)
  return act && actIn(act, entity)
}

export type ChosenAct = ActView & { roles: { character: string; count: string }[] }

export const chosenAct = (act: SessionAct | undefined): ChosenAct | null => {
  const view = act && actView(act)
  if (!act || !view) return null
  const roles = act.roles.map((role) => ({ character: role.character, count: countText(role) }))
  return { ...view, roles }
}

export type OfferedParty = { id: string; name: string; rfc: string; character: string }

const MOST_FOUND = 10

/** What the catalogue offers; nothing is read without a search. */
export async function offeredParties(context: Context, text: string): Promise<OfferedParty[]> {
  const wanted = text.trim().slice(0, 200)
  if (wanted === '') return []
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const asked = { text: wanted, size: MOST_FOUND }
  const { parties } = await listKnownParties(system, actor, asked)
  return parties.map(({ id, name, rfc, character }) => ({ id, name, rfc, character }))
}

/**
 * The rows with the marked parties: each fills the first vacant row of its character, or without one, and else gets a row of its own.
 */
export async function withParties(
  context: Context,
  typed: readonly SignerRow[],
  marked: readonly string[],
  most: number,
): Promise<SignerRow[]> {
  let rows = [...typed]
  for (const text of [...new Set(marked)].slice(0, MOST_FOUND)) {
    const party = await knownParty(context, text)
    if (!party) continue
    const { name, rfc, character } = party
    const data = { name, rfc, email: party.email ?? '' }
    const vacant = rows.filter((row) => row.kind === 'external' && isVacant(row))
    const place =
      vacant.find((row) => isSameRole(row.character, character)) ??
      vacant.find((row) => row.character === '')
    const at = place ? rows.indexOf(place) : rows.length
    if (place) rows = rows.toSpliced(at, 1)
    const shown = place && place.character !== '' ? place.character : character
    const fields = { kind: 'external', ...data, character: shown } as const
    if (rows.length < most)
      rows = withRow(rows, { ...fields, isTogether: place?.isTogether ?? false }, at, typed)
  }
  return rows
}

/** Undefined if it was deleted meanwhile. */
async function knownParty(context: Context, text: string) {
  const partyId = PartyId.safeParse(text).data
  if (!partyId) return undefined
  try {
    return await readParty(context.get(systemContext), context.get(actorContext), { partyId })
  } catch (error) {
    if (isProblem(error, 'not-found')) return undefined
    throw error
  }
}
