import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { documentRow } from '#app/http/documents/document-row.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { WHO_SIGNS } from '#app/messages/labels.ts'
import { Chips } from '#app/ui/lists/chips.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { countText } from '#app/ui/text/count-text.ts'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { listDocuments } from '#server/features/documents/list/list-documents.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listMyTurns, MOST_TURNS } from '#server/features/signatures/list-my-turns.ts'
import {
  ListSigningSessions,
  listSigningSessions,
} from '#server/features/signing-sessions/list-signing-sessions.ts'
import type { Route } from './+types/list'
import css from './list.module.css'
import { sessionRow, turnRow } from './list-rows.ts'
import { MyTurn } from './my-turn.tsx'
import { SessionList } from './session-list.tsx'

const PATH = '/dashboard/signing'
const MAX_TURNS = 50

/** Of the office's documents, below what waits for the user. */
const MAX_OTHERS = 5

const { state, behind } = ListSigningSessions.shape

/** The query parameters; invalid ones are ignored. */
const Query = z.object({
  show: z.enum(['turn', 'mine', 'all']).catch('turn'),
  state: state.catch(undefined),
  behind: behind.catch(undefined),
})

export const handle = { hydrate: true, label: 'Firmar' }

export const meta: Route.MetaFunction = () => [{ title: 'Firmar · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { roles } = mustBeSignedIn(actor)
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const { show, state, behind } = Query.parse(Object.fromEntries(url.searchParams))
  const may = {
    canSign: isAllowed(roles, 'document.sign'),
    canUpload: isAllowed(roles, 'document.upload'),
    canManage: isAllowed(roles, 'signing-sessions.manage'),
  }
  if (show === 'turn') return { show, ...may, ...(await turnOf()) }
  const whose = show === 'mine' ? 'mine' : 'all'
  const query = { whose, state, behind } as const
  const { sessions, next } = await orErrorPage(listSigningSessions(system, actor, query))
  const rows = sessions.map((one) => sessionRow(one, timeZone))
  return { show, ...may, state, rows, next, isFirst: !behind }

  async function turnOf() {
    const turns = await orErrorPage(listMyTurns(system, actor, { limit: MAX_TURNS }))
    const rowsIn = async (documentState: 'draft' | 'signed') => {
      const { documents, next } = await orErrorPage(
        listDocuments(system, actor, { state: documentState }, MAX_OTHERS),
      )
      const rows = documents.map((document) => documentRow(document, timeZone))
      return { rows, isMore: next !== undefined }
    }
    return {
      waiting: turns.documents.map((turn) => turnRow(turn, timeZone)),
      isMore: turns.count > MAX_TURNS,
      ready: turns.ready,
      readyCount: countText(turns.ready, MOST_TURNS),
      drafts: await rowsIn('draft'),
      signed: await rowsIn('signed'),
    }
  }
}

export default function SigningList({ loaderData }: Route.ComponentProps) {
  const { show, canSign, canManage } = loaderData
  // Beside what waits for a signature nothing else is the main step.
  const isSecond = loaderData.show === 'turn' && loaderData.ready > 1
  const chips = [
    { to: PATH, name: 'Mi turno', isActive: show === 'turn' },
    { to: address(PATH, { show: 'mine' }), name: 'Creadas por mí', isActive: show === 'mine' },
    { to: address(PATH, { show: 'all' }), name: 'Todas las sesiones', isActive: show === 'all' },
  ]
  return (
    <>
      <PageHead
        title="Firmar"
        lead={canSign ? undefined : `${WHO_SIGNS} Usted firma donde una sesión le nombra.`}
        action={
          canManage && (
            <div className={css.actions}>
              <PageLink to={`${PATH}/parties`}>Catálogo de partes</PageLink>
              <ButtonLink
                to={`${PATH}/new`}
                variant={isSecond ? 'default' : 'filled'}
                leftSection={<Icon name="people" />}
              >
                Nueva sesión de firma
              </ButtonLink>
            </div>
          )
        }
      />
      <div className={css.chips}>
        <Chips label="Sesiones de firma" chips={chips} />
      </div>
      {loaderData.show === 'turn' ? <MyTurn {...loaderData} /> : <SessionList {...loaderData} />}
    </>
  )
}
