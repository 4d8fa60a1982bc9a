import { Badge } from '#app/ui/feedback/badge.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './overview.module.css'

export type FirstStep = { name: string; isDone: boolean; to: string; what: string }

/** What an administrator still has to set up; the dashboard leaves it out once everything is. */
export function FirstStepsSheet({ steps }: { steps: readonly FirstStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Sheet title="Puesta en marcha">
      <p className={css.lead}>
        {done === 0
          ? 'Falta configurar la notaría antes de trabajar con documentos reales.'
          : `${done} de ${steps.length} listos. Esta lista desaparece cuando todo esté configurado.`}
      </p>
      <ol className={css.steps}>
        {steps.map(({ name, isDone, to, what }) => (
          <li key={name}>
            <Badge tone={isDone ? 'good' : 'wait'}>{isDone ? 'Listo' : 'Falta'}</Badge>
            <span>
              {isDone ? name : <PageLink to={to}>{name}</PageLink>}
              {!isDone && <span className={css.what}>{what}</span>}
            </span>
          </li>
        ))}
      </ol>
    </Sheet>
  )
}
