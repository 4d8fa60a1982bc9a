import { Icon } from '#app/ui/text/icon.tsx'
import { roles } from '#server/words/people.ts'
import css from './roles-table.module.css'

export type RolesRow = { name: string; allowed: readonly boolean[] }

/** The authorization table: a row per action, a column per role. */
export function RolesTable({ rows }: { rows: readonly RolesRow[] }) {
  const names = Object.values(roles)
  return (
    <div className={css.frame}>
      <table className={css.table}>
        <caption className="visually-hidden">Lo que permite cada rol</caption>
        <thead>
          <tr>
            <th scope="col">Acción</th>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, allowed }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {names.map((role, index) => (
                <td key={role} data-role={role} data-allowed={allowed[index] || undefined}>
                  <Icon name={allowed[index] ? 'check' : 'cross'} size={16} />
                  <span>{allowed[index] ? 'Sí' : 'No'}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
