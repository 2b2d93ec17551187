import type { SourceTracking } from '../../api/types';
import { readStored, writeStored } from '../../lib/storage';

const KEY = 'layby.source';
const NAMES = ['external_uuid', 'utm_source', 'utm_campaign', 'utm_medium'] as const;

export interface Source {
  source_tracking?: SourceTracking;
  affiliate_uuid?: string;
}

function fromAddress(search: string): Source {
  const params = new URLSearchParams(search);
  const tracking: SourceTracking = {};
  for (const name of NAMES) {
    const value = params.get(name);
    if (value) tracking[name] = value.slice(0, 200);
  }
  const affiliate = params.get('affiliate_uuid');
  return {
    ...(Object.keys(tracking).length > 0 ? { source_tracking: tracking } : {}),
    ...(affiliate ? { affiliate_uuid: affiliate.slice(0, 200) } : {}),
  };
}

/** Where this visitor came from: what the address says, else what it said earlier in this tab. */
export function readSource(search: string = window.location.search): Source {
  const found = fromAddress(search);
  if (Object.keys(found).length === 0) return readStored<Source>(KEY, 'session') ?? {};
  writeStored(KEY, found, 'session');
  return found;
}
