import type { RouterContextProvider } from 'react-router'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import type { Group } from '#app/ui/shell/found-group.ts'
import { address } from '#app/ui/text/address.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { listDocuments } from '#server/features/documents/list/list-documents.ts'
import { listUsers } from '#server/features/users/list-users.ts'
import { documentStates } from '#server/words/documents.ts'
import { rolesOf } from '#server/words/people.ts'
import { destinationsFor } from './destinations.ts'

type Context = Readonly<RouterContextProvider>

/** Of each kind: a user who wants more opens the list. */
const MOST = 8

/** What the user may open and the text describes. Without a text: the pages. */
export async function foundBy(context: Context, text: string): Promise<Group[]> {
  const { roles } = mustBeSignedIn(context.get(actorContext))
  const found =
    text === ''
      ? []
      : [await documentsFound(context, text), await colleaguesFound(context, text, roles)]
  const groups = [...found, pagesFound(text, roles), catalogueOffer(text, roles)]
  return groups.filter(({ entries }) => entries.length > 0)
}

function pagesFound(text: string, roles: readonly Role[]): Group {
  const pages = destinationsFor(roles, text).map(({ to, name }) => ({ to, name, detail: '' }))
  return { name: 'Páginas', entries: pages }
}

/** The catalogue has no index of names: it is searched where one asks for it, not with every letter. */
function catalogueOffer(text: string, roles: readonly Role[]): Group {
  const isOffered = text !== '' && isAllowed(roles, 'signing-sessions.manage')
  const offer = {
    to: address('/dashboard/signing/parties', { text }),
    name: `Buscar “${text}” en el catálogo de partes`,
    detail: '',
  }
  return { name: 'Catálogo de partes', entries: isOffered ? [offer] : [], isOffer: true }
}

async function documentsFound(context: Context, text: string): Promise<Group> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { documents, areSimilar, ...page } = await orErrorPage(
    listDocuments(system, actor, { text }),
  )
  const hasMore = documents.length > MOST || page.next !== undefined || page.wasCutShort
  const to = address('/dashboard/documents', { text })
  return {
    name: areSimilar ? 'Documentos parecidos' : 'Documentos',
    entries: documents.slice(0, MOST).map(({ id, title, folio, state }) => ({
      to: `/dashboard/documents/${id}`,
      name: title,
      detail: `${folio} · ${documentStates[state]}`,
    })),
    ...(hasMore && { all: { to, name: 'Ver más documentos', detail: '' } }),
  }
}

/** The page of a colleague is for some roles; for the others, the documents that name the colleague. */
async function colleaguesFound(
  context: Context,
  text: string,
  roles: readonly Role[],
): Promise<Group> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { users } = await orErrorPage(listUsers(system, actor, { text }))
  const hasPage = isAllowed(roles, 'users.read')
  const entries = users.map((user) => {
    const name = fullName(user)
    return {
      to: hasPage ? `/dashboard/users/${user.id}` : address('/dashboard/documents', { text: name }),
      name,
      detail: rolesOf(user),
    }
  })
  const to = address('/dashboard/users', { text })
  return {
    name: 'Personas de la notaría',
    entries: entries.slice(0, MOST),
    ...(entries.length > MOST && { all: { to, name: 'Ver más personas', detail: '' } }),
  }
}
