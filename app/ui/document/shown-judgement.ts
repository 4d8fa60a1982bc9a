import type {
  UploadFinding,
  UploadJudgement,
} from '#server/domain/verification/upload-judgement.ts'
import { sentenceOfJudgement } from '#server/words/verification/judgements.ts'

/** What was found in the file as it arrived; `waiting` until it is judged. */
export type ShownJudgement =
  | 'waiting'
  | {
      verdict: UploadJudgement['verdict']
      sentence: string
      findings: UploadFinding[]
    }

/** @param judgement undefined while the file waits to be judged */
export function shownJudgement(judgement: UploadJudgement | undefined): ShownJudgement {
  if (!judgement) return 'waiting'
  const { verdict, findings } = judgement
  return { verdict, sentence: sentenceOfJudgement(judgement), findings }
}
