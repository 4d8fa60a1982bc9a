import { Icon } from '#app/ui/text/icon.tsx'
import css from './report-links.module.css'

const FORMATS = [
  { ending: 'pdf', text: 'Descargar informe de verificación (PDF)' },
  { ending: 'json', text: 'Descargar informe de verificación (JSON)' },
] as const

/** Links to the verdict as files, and to the log proof if there is one. */
export function ReportLinks({ id, hasLogProof }: { id: string; hasLogProof: boolean }) {
  return (
    <p className={css.links}>
      {FORMATS.map(({ ending, text }) => (
        <a key={ending} href={`/verify/${id}/report.${ending}`}>
          <Icon name="download" /> {text}
        </a>
      ))}
      {hasLogProof && (
        <a href={`/verify/${id}/log.tlog-proof`}>
          <Icon name="download" /> Descargar prueba de la bitácora
        </a>
      )}
    </p>
  )
}
