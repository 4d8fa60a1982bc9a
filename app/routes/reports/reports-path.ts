export const REPORTS_PATH = '/dashboard/reports'
export const FILES_PATH = `${REPORTS_PATH}/files`
