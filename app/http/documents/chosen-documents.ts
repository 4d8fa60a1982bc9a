import { redirect } from 'react-router'
import { flash } from '#app/http/cookies/flash.ts'
import { CHOSEN } from '#app/messages/field-names.ts'
import { MOST_CHOSEN } from '#server/domain/documents/chosen.ts'
import { DocumentId } from '#server/domain/ids.ts'

/** The documents that were chosen in a list, each once; what is no id is left out. */
export function chosenIn(query: URLSearchParams): DocumentId[] {
  const ids = query.getAll(CHOSEN).flatMap((text) => DocumentId.safeParse(text).data ?? [])
  return [...new Set(ids)].slice(0, MOST_CHOSEN)
}

/**
 * The same for a page that needs some.
 *
 * @throws {Response} back to the list, with a message, if none was chosen
 */
export function mustHaveChosen(query: URLSearchParams): DocumentId[] {
  const chosen = chosenIn(query)
  if (chosen.length > 0) return chosen
  throw redirect('/dashboard/documents', { headers: { 'Set-Cookie': flash('none-chosen') } })
}
