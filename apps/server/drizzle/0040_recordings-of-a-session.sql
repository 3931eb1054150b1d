CREATE TABLE "recordings" (
	"session_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" text,
	"chunks" integer,
	"duration_ms" integer,
	CONSTRAINT "recordings_session_id_number_pk" PRIMARY KEY("session_id","number")
);
--> statement-breakpoint
-- What was recorded of a session before is its first recording; its kind is in the storage, and the session says the same.
INSERT INTO "recordings" ("session_id", "number", "kind", "chunks", "duration_ms")
	SELECT "id", 1, CASE "type" WHEN 'command' THEN 'command' ELSE 'terminal' END, "recording_chunks", "recording_ms"
	FROM "sessions"
	WHERE "recording_chunks" IS NOT NULL OR EXISTS (SELECT FROM "recording_chunks" WHERE "session_id" = "sessions"."id");
--> statement-breakpoint
ALTER TABLE "recording_chunks" DROP CONSTRAINT "recording_chunks_session_id_sessions_id_fk";
--> statement-breakpoint
ALTER TABLE "recording_chunks" DROP CONSTRAINT "recording_chunks_session_id_number_pk";--> statement-breakpoint
ALTER TABLE "recording_chunks" ADD COLUMN "recording" integer NOT NULL DEFAULT 1;--> statement-breakpoint
ALTER TABLE "recording_chunks" ALTER COLUMN "recording" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "recording_chunks" ADD CONSTRAINT "recording_chunks_session_id_recording_number_pk" PRIMARY KEY("session_id","recording","number");--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recording_chunks" ADD CONSTRAINT "recording_chunks_recording_fk" FOREIGN KEY ("session_id","recording") REFERENCES "public"."recordings"("session_id","number") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" DROP COLUMN "recording_chunks";--> statement-breakpoint
ALTER TABLE "sessions" DROP COLUMN "recording_ms";
