import { Icon } from '#app/ui/icon.tsx'
import css from './report-links.module.css'

const FORMATS = [
  { ending: 'pdf', text: 'Descargar dictamen (PDF)' },
  { ending: 'json', text: 'Descargar dictamen (JSON)' },
] as const

/** The verdict as files. */
export function ReportLinks({ id }: { id: string }) {
  return (
    <p className={css.links}>
      {FORMATS.map(({ ending, text }) => (
        <a key={ending} href={`/verify/${id}/report.${ending}`}>
          <Icon name="download" /> {text}
        </a>
      ))}
    </p>
  )
}
