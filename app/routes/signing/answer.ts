import { refusalOf } from '#app/http/problems.ts'

/** What the signing page hears of a call: JSON of its own, or a sentence for whoever signs. */
export async function jsonAnswer(work: Promise<Response>): Promise<Response> {
  const answer = await refusalOf(work)
  if (answer.ok) return answer.value
  return refusal(answer.status, answer.sentence)
}

/** @param field where on the page the person can do something about it */
export function refusal(status: number, sentence: string, field?: 'certificate'): Response {
  return Response.json({ kind: 'refused', sentence, ...(field && { field }) }, { status })
}
