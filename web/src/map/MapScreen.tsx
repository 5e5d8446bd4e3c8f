// The maps of depth results, in a file of their own: several models and their differences, or a novel.

import { useMemo, useState } from "preact/hooks";
import type { RunCard } from "../api";
import { ChartFigure } from "../charts/ChartFigure";
import { Failure } from "../parts/Failure";
import { Loading } from "../parts/Loading";
import { PlainText } from "../parts/PlainText";
import { ReportTable } from "../parts/ReportTable";
import { runAddress } from "../route";
import { useLoad } from "../state/load";
import { useSource } from "../state/source";
import { show, t } from "../words";
import { ListingDialog } from "./ListingDialog";

interface Opened {
  readonly listing: number;
  readonly tile: string;
  readonly isParsedOnly: boolean;
}

export function MapScreen({ runs }: { runs: readonly RunCard[] }) {
  const source = useSource();
  const { data, error, again } = useLoad("map", () => source.map());
  const [opened, setOpened] = useState<Opened | null>(null);
  const name = data ? show(data.title) : "";
  // the same object as long as it says the same: a new one would draw all maps again
  const owner = useMemo(() => ({ card: { id: "", name }, variants: [], metrics: [] }), [name]);
  if (error) return <Failure error={error} again={again} />;
  if (!data) return <Loading />;
  const first = { isParsedOnly: data.is_parsed_only, isMeanOfQuestions: data.is_mean_of_questions, isSafe: data.is_safe };
  const listing = opened && data.listings[opened.listing];
  return (
    <article class="map">
      <h1>
        <PlainText text={name} />
      </h1>
      {data.charts.map((chart) => (
        <ChartFigure key={chart.id} chart={chart} run={owner} first={first} onList={(each, tile, isParsedOnly) => setOpened({ listing: each, tile, isParsedOnly })} />
      ))}
      <ReportTable table={data.summary} />
      {runs.length > 0 && (
        <nav class="map-runs" aria-label={t("Runs")}>
          <span aria-hidden="true">{t("Runs")}</span>
          {runs.map((run) => (
            <a key={run.id} href={runAddress(run.id)}>
              <PlainText text={run.name} />
            </a>
          ))}
        </nav>
      )}
      {/* the browser says late that a dialog was closed; another one may be open by then */}
      {listing && <ListingDialog key={opened} listing={listing} questions={data.questions} tile={opened.tile} isParsedOnly={opened.isParsedOnly} onClose={() => setOpened((now) => (now === opened ? null : now))} />}
    </article>
  );
}
