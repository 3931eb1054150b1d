CREATE TABLE "shared_assets" (
	"asset_id" uuid NOT NULL
);
--> statement-breakpoint
DROP INDEX "assets_domain_idx";--> statement-breakpoint
ALTER TABLE "shared_assets" ADD CONSTRAINT "shared_assets_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "shared_assets_idx" ON "shared_assets" USING btree ("asset_id");--> statement-breakpoint
CREATE INDEX "assets_domain_idx" ON "assets" USING btree ("domain_id","platform_id");--> statement-breakpoint
-- Who lies in several nodes is looked for among these when assets are counted by nodes: whoever gets another place while there is one.
CREATE FUNCTION note_shared_assets() RETURNS trigger LANGUAGE plpgsql AS $$
begin
	insert into shared_assets (asset_id) select distinct placed.asset_id from new_rows as placed
		where exists (select from asset_nodes as other where other.asset_id = placed.asset_id and other.node_id <> placed.node_id)
			and not exists (select from shared_assets as known where known.asset_id = placed.asset_id);
	return null;
end
$$;--> statement-breakpoint
CREATE TRIGGER "asset_nodes_shared" AFTER INSERT ON "asset_nodes" REFERENCING NEW TABLE AS new_rows
	FOR EACH STATEMENT EXECUTE FUNCTION note_shared_assets();--> statement-breakpoint
INSERT INTO "shared_assets" ("asset_id") SELECT "asset_id" FROM "asset_nodes" GROUP BY "asset_id" HAVING count(*) > 1;
