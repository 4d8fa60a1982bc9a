import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { PartyId } from '#server/domain/ids.ts'
import type { KnownParty } from '#server/domain/signing/session/party.ts'
import { listKnownParties } from '#server/features/parties/list-known-parties.ts'
import type { PartyOffer } from './party-search.tsx'
import type { OfferedParty } from './signer-fields.tsx'

export const NO_OFFER: PartyOffer = { text: '', found: [], chosen: undefined }

const MOST_FOUND = 10

/**
 * What the catalogue offers for the search in the page's address. The chosen party is one of those found: without
 * a search nothing is read.
 */
export async function offerOf(
  context: Readonly<RouterContextProvider>,
  query: URLSearchParams,
): Promise<PartyOffer> {
  const text = (query.get('party') ?? '').trim().slice(0, 200)
  if (text === '') return NO_OFFER
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { parties } = await listKnownParties(system, actor, { text, size: MOST_FOUND })
  const found = parties.map(offeredParty)
  const id = PartyId.safeParse(query.get('chosen')).data
  return { text, found, chosen: found.find((party) => party.id === id) }
}

const offeredParty = ({ id, name, rfc, email, character }: KnownParty): OfferedParty => ({
  ...{ id, name, rfc, character },
  email: email ?? '',
})
