import { Sheet } from '#app/ui/frame/sheet.tsx'
import { address } from '#app/ui/text/address.ts'
import { PageLink } from '#app/ui/text/page-link.tsx'
import type { MonthView } from './month-view.ts'
import css from './obligations.module.css'
import { OBLIGATIONS_PATH as PATH } from './obligations-path.ts'

const WEEKDAYS = ['lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado', 'domingo']

type Props = { view: MonthView; obligation: string | undefined; day: string | undefined }

/** How many open obligations end on each day of a month; each day is a link to them. */
export function MonthTable({ view, obligation, day: shown }: Props) {
  const of = (query: Record<string, string | undefined>) => address(PATH, { obligation, ...query })
  const aside = (
    <span className={css.months}>
      <PageLink to={of({ month: view.before })}>Mes anterior</PageLink>
      <PageLink to={of({ month: view.after })}>Mes siguiente</PageLink>
    </span>
  )
  return (
    <Sheet title={view.name} aside={aside}>
      <table className={css.month}>
        <caption className="visually-hidden">{`Obligaciones pendientes por día, ${view.name}`}</caption>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name}>
                <span aria-hidden="true">{name.slice(0, 2)}</span>
                <span className="visually-hidden">{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {view.weeks.map((week, row) => (
            <tr key={week.find((cell) => cell !== null)?.day ?? row}>
              {week.map((cell, column) => (
                <td
                  key={WEEKDAYS[column]}
                  data-today={cell?.isToday || undefined}
                  data-shown={(cell && cell.day === shown) || undefined}
                >
                  {cell && cell.count === 0 && <span className={css.free}>{cell.number}</span>}
                  {cell && cell.count > 0 && (
                    <PageLink to={of({ day: cell.day })} className={css.busy}>
                      {cell.number}
                      <strong>
                        {cell.count}
                        <span className="visually-hidden">
                          {cell.count === 1 ? ' pendiente' : ' pendientes'}
                        </span>
                      </strong>
                    </PageLink>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  )
}
