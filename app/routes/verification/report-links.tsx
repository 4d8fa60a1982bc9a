import { Icon } from '#app/ui/text/icon.tsx'
import css from './report-links.module.css'

type Props = {
  id: string
  /** Whether the office offers the verdict and the proof as files. */
  hasReports: boolean
  hasLogProof: boolean
  hasPictures: boolean
}

/** Links to the pages and to the verdict as a file, and folded away the files for programs and experts. */
export function ReportLinks({ id, hasReports, hasLogProof, hasPictures }: Props) {
  return (
    <div className={css.links}>
      {hasPictures && <a href={`/verify/${id}/pages`}>Comparar las páginas con el papel</a>}
      {hasReports && <ReportFiles id={id} hasLogProof={hasLogProof} />}
    </div>
  )
}

function ReportFiles({ id, hasLogProof }: Pick<Props, 'id' | 'hasLogProof'>) {
  return (
    <>
      <File address={`/verify/${id}/report.pdf`}>Descargar informe de verificación (PDF)</File>
      <details>
        <summary>Otros formatos</summary>
        <p className={css.others}>
          <File address={`/verify/${id}/report.json`}>
            Descargar informe de verificación (JSON)
          </File>
          {hasLogProof && (
            <File address={`/verify/${id}/log.tlog-proof`}>Descargar prueba de la bitácora</File>
          )}
        </p>
      </details>
    </>
  )
}

const File = ({ address, children }: { address: string; children: string }) => (
  <a href={address}>
    <Icon name="download" /> {children}
  </a>
)
