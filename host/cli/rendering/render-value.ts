// Renders any JSON value: fields as a list, records as tables, long text unchanged.
import {cleanText} from './clean-text.ts';
import {renderFields} from './render-fields.ts';
import {renderTable} from './render-table.ts';
import type {Style} from './style.ts';

type Fields = Readonly<Record<string, unknown>>;

export function renderValue(value: unknown, style: Style, indent = 0): string {
  if (isTabular(value)) return shift(renderRecords(value, {...style, tableWidth: style.tableWidth - indent}), indent);
  if (Array.isArray(value)) return value.map((item) => renderItem(item, style, indent)).join('\n');
  if (isFields(value)) return renderRecord(value, style, indent);
  return shift(scalar(value), indent);
}

function renderRecord(value: Fields, style: Style, indent: number): string {
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const short = entries.filter(([, item]) => isShort(item));
  const long = entries.filter(([, item]) => !isShort(item));
  const fields = renderFields(
    short.map(([key, item]) => [cleanText(key), scalar(item)]),
    style,
    indent,
  );
  const blocks = long.map(([key, item]) => {
    const title = shift(style.dim(`${cleanText(key)}:`), indent);
    return `${title}\n${typeof item === 'string' ? shift(cleanText(item).replace(/\n$/u, ''), indent + 2) : renderValue(item, style, indent + 2)}`;
  });
  return [...(fields === '' ? [] : [fields]), ...blocks].join('\n');
}

function renderItem(item: unknown, style: Style, indent: number): string {
  const body = renderValue(item, style, indent + 2);
  return `${' '.repeat(indent)}${style.dim('-')} ${body.slice(indent + 2)}`;
}

/** Whether the records have few enough scalar columns for a table. */
function isTabular(value: unknown): value is readonly Fields[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isFields)) return false;
  const keys = new Set(value.flatMap((row: Fields) => Object.keys(row)));
  return keys.size > 0 && keys.size <= 6 && value.every((row: Fields) => Object.values(row).every(isShort));
}

function renderRecords(rows: readonly Fields[], style: Style): string {
  const keys = namesFirst([...new Set(rows.flatMap((row) => Object.keys(row)))]);
  const columns = keys.map((key) => ({
    title: cleanText(key),
    shrinksTo: Math.max(8, key.length),
    cell: (row: Fields) => (row[key] === undefined ? '' : scalar(row[key])),
  }));
  return renderTable(rows, columns, style);
}

const names = ['id', 'name', 'title', 'path', 'file', 'subject', 'lane', 'wu', 'task_id', 'receipt_id', 'tool_name'];

/** What a row is about comes first. The other columns keep the order of the tool. */
function namesFirst(keys: readonly string[]): readonly string[] {
  const isName = (key: string): boolean => names.includes(key);
  return [...names.filter((name) => keys.includes(name)), ...keys.filter((key) => !isName(key))];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\n') && value.length <= 500;
  if (Array.isArray(value))
    return value.length === 0 || (value.every((item) => typeof item !== 'object') && value.length <= 8);
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value) && value.length > 0) return value.map(scalar).join(', ');
  return JSON.stringify(value) ?? '';
}

function shift(text: string, indent: number): string {
  const lead = ' '.repeat(indent);
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : lead + line))
    .join('\n');
}
