export const REPORTS_PATH = '/dashboard/reports'
