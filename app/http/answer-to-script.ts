import type { MiddlewareFunction } from 'react-router'

/** 307 and 308: the script sends the form to the new address by itself. */
const isNextPage = ({ status }: Response) => status >= 300 && status < 304

/** Whether a script of ours sent the form, and shows the answer in the page. */
export const isSentByScript = ({ method, headers }: Request): boolean =>
  method === 'POST' && headers.has('X-Form')

/**
 * Marks the answer to a form that the page's script sent (`app/islands/form-transport.ts`), so that it knows the page of a
 * proxy from ours. A redirect becomes its address: a script cannot read the address of one, and if it followed it, the
 * message for the next page would be lost.
 */
export const answerToScript: MiddlewareFunction<Response> = async ({ request }, next) => {
  const response = await next()
  if (!isSentByScript(request)) return response
  const headers = new Headers(response.headers)
  const location = headers.get('Location')
  if (location === null || !isNextPage(response)) {
    headers.set('X-Form', 'page')
    return new Response(response.body, { status: response.status, headers })
  }
  for (const name of ['Location', 'Content-Length', 'Content-Encoding']) headers.delete(name)
  headers.set('Content-Type', 'text/plain; charset=utf-8')
  headers.set('X-Form', 'next')
  return new Response(location, { status: 200, headers })
}
