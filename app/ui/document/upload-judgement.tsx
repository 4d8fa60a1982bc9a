import { Notice } from '#app/ui/feedback/notice.tsx'
import { Sheet } from '#app/ui/frame/sheet.tsx'
import type { UploadFinding } from '#server/domain/verification/upload-judgement.ts'
import { ARRIVED, BEING_JUDGED, FINDINGS } from '#server/words/judgements.ts'
import type { ShownJudgement } from './shown-judgement.ts'
import css from './upload-judgement.module.css'

type Props = {
  judgement: ShownJudgement
  /** Address of the whole verdict. */
  report: string
}

/** The verdict and the findings about an uploaded file; nothing for a file without any. */
export function UploadJudgementSheet({ judgement, report }: Props) {
  if (judgement === 'waiting')
    return (
      <Sheet title="Cómo llegó el archivo">
        <p className={css.quiet}>{BEING_JUDGED}</p>
      </Sheet>
    )
  const { verdict, sentence, findings } = judgement
  const isSigned = verdict !== 'NO_SIGNATURE'
  if (!isSigned && findings.length === 0) return null
  const { tone, title } = ARRIVED[verdict]
  return (
    <Sheet title="Cómo llegó el archivo">
      <div className={css.body}>
        {isSigned && (
          <Notice tone={tone} title={title} isLive={false}>
            {sentence}
          </Notice>
        )}
        {findings.length > 0 && <Findings findings={findings} />}
        {isSigned && (
          <p>
            <a href={report}>Ver el informe de verificación completo</a>
          </p>
        )}
      </div>
    </Sheet>
  )
}

function Findings({ findings }: { findings: readonly UploadFinding[] }) {
  return (
    <Notice tone="wait" title="Otro lector puede mostrar algo distinto" isLive={false}>
      <ul className={css.findings}>
        {findings.map((finding) => (
          <li key={finding}>
            <strong>{FINDINGS[finding].name}</strong>: {FINDINGS[finding].effect}.
          </li>
        ))}
      </ul>
    </Notice>
  )
}
