import { data, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { flashOfNumber } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm } from '#app/http/forms.ts'
import { newOnce } from '#app/http/once.ts'
import { orErrorPage, refusalOnPage } from '#app/http/problems.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { FormRefusal } from '#app/ui/forms/form-refusal.tsx'
import { Chips } from '#app/ui/lists/chips.tsx'
import { EmptyState } from '#app/ui/lists/empty-state.tsx'
import toolbar from '#app/ui/lists/list-toolbar.module.css'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { Paging } from '#app/ui/lists/paging.tsx'
import { address } from '#app/ui/text/address.ts'
import { countText } from '#app/ui/text/count-text.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import { volumeWordOf } from '#server/domain/identity/entity-vocabulary.ts'
import { isAllowed, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import {
  ListNumbers,
  listNumbers,
  MOST_LINES_COUNTED,
  type NumberPage,
} from '#server/features/numbers/list-numbers.ts'
import { ReserveNumber, reserveNumber } from '#server/features/numbers/reserve-number.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { numberStatesOfMany } from '#server/words/numbers.ts'
import type { Route } from './+types/list'
import css from './list.module.css'
import { numberRow } from './number-rows.ts'
import { NumberTable } from './number-table.tsx'
import { NUMBERS_PATH as PATH } from './numbers-path.ts'
import { PeriodFilter } from './period-filter.tsx'
import { ReserveSheet } from './reserve-sheet.tsx'

const { seriesId, show, from, to, behind } = ListNumbers.shape

/** The query parameters; invalid ones are ignored. */
const Query = z.object({
  series: seriesId.catch(undefined),
  show: show.catch(undefined),
  from: from.catch(undefined),
  to: to.catch(undefined),
  behind: behind.catch(undefined),
})

const Fields = z.object({
  series: ReserveNumber.shape.seriesId,
  note: withSentence(ReserveNumber.shape.note, 'Escriba para qué se aparta, hasta 300 caracteres.'),
  once: ReserveNumber.shape.once,
})

export const handle = { hydrate: true, label: 'Números' }

export const meta: Route.MetaFunction = () => [{ title: 'Números · Rúbrica' }]

export async function loader({ url, context }: Route.LoaderArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const { series, behind, ...asked } = Query.parse(Object.fromEntries(url.searchParams))
  const page = await orErrorPage(listNumbers(system, actor, { seriesId: series, behind, ...asked }))
  const { timeZone, entity } = await orErrorPage(readOffice(system, actor))
  const { roles } = mustBeSignedIn(actor)
  const { shown } = page
  return {
    rows: page.lines.map((line) => numberRow(line, timeZone)),
    next: page.next,
    asked: { ...asked, series: shown.id as string },
    shown: { id: shown.id as string, name: shown.name, next: shown.next, book: shown.book },
    series: page.series.map(({ id, name }) => ({ id: id as string, name })),
    counts: countTexts(page.counts),
    volumeWord: volumeWordOf(entity),
    isLaterPage: behind !== undefined,
    once: newOnce(),
    canReserve: isAllowed(roles, 'numbers.reserve'),
    canManage: isAllowed(roles, 'number-series.manage'),
  }
}

const countTexts = (counts: NumberPage['counts']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(counts).map(([state, count]) => [state, countText(count, MOST_LINES_COUNTED)]),
  )

type Answer = { errors?: FormErrors; values?: Record<string, string> }

export async function action({ request, context }: Route.ActionArgs) {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const read = await orErrorPage(readForm(request, context, Fields))
  if (!read.ok) return data<Answer>({ errors: read.errors, values: read.values }, 422)
  const { series: seriesId, ...rest } = read.value
  const answer = await refusalOnPage(reserveNumber(system, actor, { seriesId, ...rest }))
  if (!answer.ok)
    return data<Answer>({ errors: { form: [answer.sentence] }, values: read.value }, answer.init)
  return redirect(`${PATH}/${seriesId}/${answer.value}`, {
    status: 303,
    headers: { 'Set-Cookie': flashOfNumber('number-reserved', answer.value) },
  })
}

export default function NumberList({ loaderData, actionData }: Route.ComponentProps) {
  const { rows, next, asked, shown, series, isLaterPage, canReserve, canManage } = loaderData
  const { volumeWord } = loaderData
  const { errors, values }: Answer = actionData ?? {}
  const isAskedFor = asked.show !== undefined || asked.from !== undefined || asked.to !== undefined
  return (
    <>
      <PageHead
        title="Números"
        lead={
          <>
            Los números de instrumentos en orden, con su documento, y los que faltan.{' '}
            {canManage && (
              <PageLink to="/dashboard/settings/numbers">Cambiar la numeración</PageLink>
            )}
          </>
        }
      />
      <div className={toolbar.toolbar}>
        <Chips
          label="Serie"
          chips={series.map(({ id, name }) => ({
            to: address(PATH, { series: id }),
            name,
            isActive: id === shown.id,
          }))}
        />
        <Chips label="Estado" chips={stateChips(asked, loaderData.counts)} />
        <PeriodFilter asked={asked} />
      </div>
      <FormRefusal errors={errors?.form} />
      <p className={css.next}>
        {shown.next === null
          ? `Esta serie todavía no empieza: ${canManage ? 'escriba su número siguiente en “Cambiar la numeración”.' : 'un notario o un administrador escribe su número siguiente.'}`
          : `El siguiente es ${shown.next.toLocaleString('es-MX')}${shown.book ? ` (${volumeWord} ${shown.book})` : ''}.`}{' '}
        <PageLink
          to={address('/dashboard/documents/numbers.csv', {
            series: shown.id,
            from: asked.from,
            to: asked.to,
          })}
          reloadDocument
        >
          Exportar CSV
        </PageLink>{' '}
        {rows.length > 0 && canReserve && shown.next !== null && (
          <a href="#apartar">Apartar un número</a>
        )}
      </p>
      {rows.length > 0 ? (
        <NumberTable rows={rows} />
      ) : (
        <EmptyState
          next={
            isAskedFor && <PageLink to={address(PATH, { series: shown.id })}>Ver todos</PageLink>
          }
        >
          {isAskedFor
            ? 'Ningún número coincide con los filtros.'
            : 'Esta serie todavía no tiene números.'}
        </EmptyState>
      )}
      <Paging
        of="números"
        newer={isLaterPage ? address(PATH, asked) : undefined}
        older={next && address(PATH, { ...asked, behind: next })}
      />
      {canReserve && shown.next !== null && (
        <ReserveSheet series={shown} once={loaderData.once} values={values} errors={errors} />
      )}
    </>
  )
}

type Asked = Route.ComponentProps['loaderData']['asked']

/** What is not clear yet comes first. */
function stateChips(asked: Asked, counts: Record<string, string>) {
  const states = Object.entries(numberStatesOfMany).map(([key, name]) => {
    const count = counts[key]
    return {
      to: address(PATH, { ...asked, show: key }),
      name,
      ...(count !== undefined && { count }),
      isActive: asked.show === key,
    }
  })
  const all = { to: address(PATH, { ...asked, show: undefined }), name: 'Todos' }
  const texts = {
    to: address(PATH, { series: asked.series, show: 'texts' }),
    name: 'Fuera del registro',
    isActive: asked.show === 'texts',
  }
  return [{ ...all, isActive: asked.show === undefined }, ...states, texts]
}
