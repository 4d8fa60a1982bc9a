import { createContext, type MiddlewareFunction, type RouterContextProvider } from 'react-router'

/** 307 and 308: the script sends the form to the new address by itself. */
const isNextPage = ({ status }: Response) => status >= 300 && status < 304

/** Whether a script of ours sent the form, and shows the answer in the page. */
export const isSentByScript = ({ method, headers }: Request): boolean =>
  method === 'POST' && headers.has('X-Form')

const answerContext = createContext<{ data: unknown } | null>(null)

/** Keeps what an action returns for a script that asks for it in place of the page. Returns it. */
export function forScript<T extends Response | { data: unknown }>(
  context: Readonly<RouterContextProvider>,
  answer: T,
): T {
  if (!(answer instanceof Response)) context.set(answerContext, { data: answer.data })
  return answer
}

/**
 * Marks the answer to a form that the page's script sent (`app/islands/form-transport.ts`), so that it knows the page of a
 * proxy from ours. A redirect becomes its address: a script cannot read the address of one, and if it followed it, the
 * message for the next page would be lost. The script of a form with large files (`app/ui/forms/use-sent-files.ts`) gets the
 * data of the answer, which its page shows.
 */
export const answerToScript: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const response = await next()
  if (!isSentByScript(request)) return response
  const headers = new Headers(response.headers)
  const location = headers.get('Location')
  if (location === null || !isNextPage(response)) {
    const answer = request.headers.get('X-Form') === 'data' ? context.get(answerContext) : null
    headers.set('X-Form', answer ? 'data' : 'page')
    if (answer) return dataWith(headers, response.status, answer.data)
    return new Response(response.body, { status: response.status, headers })
  }
  for (const name of ['Location', 'Content-Length', 'Content-Encoding']) headers.delete(name)
  headers.set('Content-Type', 'text/plain; charset=utf-8')
  headers.set('X-Form', 'next')
  return new Response(location, { status: 200, headers })
}

function dataWith(headers: Headers, status: number, value: unknown): Response {
  for (const name of ['Content-Length', 'Content-Encoding']) headers.delete(name)
  headers.set('Content-Type', 'application/json; charset=utf-8')
  return new Response(JSON.stringify(value), { status, headers })
}
