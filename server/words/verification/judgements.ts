import type { UploadJudgement } from '#server/domain/verification/upload-judgement.ts'
import { sentenceOfHeadline } from './headlines.ts'

/** The sentence of the verdict about an uploaded file, es-MX; empty for a file without signatures. */
export const sentenceOfJudgement = ({ headline }: Pick<UploadJudgement, 'headline'>) =>
  headline ? sentenceOfHeadline(headline) : ''
