import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { CertificateTabs } from '#app/routes/certificates/tabs.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import css from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { SearchForm } from '#app/ui/lists/search-form.tsx'
import { Cell, Row, Table } from '#app/ui/lists/table.tsx'
import { address } from '#app/ui/text/address.ts'
import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { Time } from '#app/ui/text/time.tsx'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { formatDay } from '#server/domain/time.ts'
import type { YubikeyState } from '#server/domain/yubikeys/yubikey.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { ListYubikeys, listYubikeys } from '#server/features/yubikeys/list-yubikeys.ts'
import { formFactors, yubikeyStatesOfMany } from '#server/words/yubikeys.ts'
import type { Route } from './+types/list'
import { YubikeyBadge } from './state-badge.tsx'

const PATH = '/dashboard/certificates/keys'

/** The query parameters; an invalid one is ignored. */
const { text, state, behind } = ListYubikeys.shape
const Query = z.object({
  text: text.catch(undefined),
  state: state.catch(undefined),
  behind: behind.catch(undefined),
})

export const handle = { hydrate: true, label: 'YubiKeys' }

export const meta: Route.MetaFunction = () => [{ title: 'YubiKeys · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const query = Query.parse(Object.fromEntries(url.searchParams))
  const { timeZone } = await orErrorPage(readOffice(system, actor))
  const page = await orErrorPage(listYubikeys(system, actor, query))
  return {
    ...{ next: page.next, reach: page.reach },
    asked: { text: query.text ?? '', state: query.state },
    isLaterPage: query.behind !== undefined,
    canManage: isAllowed(mustBeSignedIn(actor).roles, 'yubikeys.manage'),
    rows: page.yubikeys.map(({ id, serial, model, firmware, formFactor, ...yubikey }) => ({
      ...{ id, serial, model, firmware, state: yubikey.state, holder: yubikey.holder },
      form: formFactor && formFactors[formFactor],
      since: yubikey.stateSince,
      day: formatDay(yubikey.stateSince, timeZone),
    })),
  }
}

const COLUMNS = [
  { name: 'Estado' },
  { name: 'Número de serie' },
  { name: 'Modelo' },
  { name: 'Forma' },
  { name: 'Firmware' },
  { name: 'Quién la tiene' },
  { name: 'Desde', isNumber: true },
]

export default function YubikeyList({ loaderData }: Route.ComponentProps) {
  const { rows, next, asked, reach, isLaterPage, canManage } = loaderData
  return (
    <>
      <PageHead
        title="YubiKeys"
        lead={
          reach === 'office' ? (
            <>
              Las llaves físicas de la notaría: cuáles son y quién tiene cada una.{' '}
              <PageLink to={`${PATH}/makers`}>Raíces del fabricante</PageLink>
            </>
          ) : (
            'Las llaves físicas que la notaría le entregó.'
          )
        }
        action={
          canManage && (
            <ButtonLink to={`${PATH}/new`} leftSection={<Icon name="key" />}>
              Registrar YubiKey
            </ButtonLink>
          )
        }
      />
      <CertificateTabs current="YubiKeys" />
      {reach === 'office' && (
        <div className={css.toolbar}>
          <SearchForm
            label="Buscar YubiKeys"
            help="Número de serie, o nombre de quien la tiene"
            text={asked.text}
            kept={{ state: asked.state }}
          />
          <Chips label="Estado" chips={stateChips(asked)} />
        </div>
      )}
      {rows.length > 0 ? (
        <Table caption="YubiKeys" columns={COLUMNS}>
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell isWhole>
                <YubikeyBadge state={row.state} />
              </Cell>
              <Cell isTitle>
                <PageLink to={`${PATH}/${row.id}`}>{row.serial}</PageLink>
              </Cell>
              <Cell>{row.model}</Cell>
              <Cell>{row.form}</Cell>
              <Cell label="Firmware">{row.firmware ?? 'sin anotar'}</Cell>
              <Cell>{row.holder}</Cell>
              <Cell label="Desde" isNumber isWhole>
                <Time at={row.since}>{row.day}</Time>
              </Cell>
            </Row>
          ))}
        </Table>
      ) : (
        <EmptyState
          next={isAskedFor(asked) && <PageLink to={PATH}>Ver todas las YubiKeys</PageLink>}
        >
          {emptyText(asked, reach, canManage)}
        </EmptyState>
      )}
      <Paging
        of="YubiKeys"
        newer={isLaterPage ? address(PATH, asked) : undefined}
        older={next && address(PATH, { ...asked, behind: next })}
      />
    </>
  )
}

type Asked = { text: string; state: YubikeyState | undefined }

const isAskedFor = ({ text, state }: Asked): boolean => text !== '' || state !== undefined

function emptyText(asked: Asked, reach: 'office' | 'own', canManage: boolean): string {
  if (isAskedFor(asked)) return 'Ninguna YubiKey coincide.'
  if (reach === 'own') return 'Usted no tiene ninguna YubiKey de la notaría.'
  return canManage
    ? 'Todavía no hay YubiKeys. Registre cada una con el número de serie que lleva grabado.'
    : 'Todavía no hay YubiKeys. Las registra un administrador.'
}

const stateChips = (asked: Asked) => [
  { to: address(PATH, { text: asked.text }), name: 'Todas', isActive: asked.state === undefined },
  ...(Object.entries(yubikeyStatesOfMany) as [YubikeyState, string][]).map(([state, name]) => ({
    ...{ to: address(PATH, { text: asked.text, state }), name },
    isActive: asked.state === state,
  })),
]
